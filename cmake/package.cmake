# What `cmake --install` leaves for other projects: both libraries, the headers, a CMake package and a file for pkg-config.
#
#   find_package(pliant REQUIRED)
#   target_link_libraries(mine PRIVATE pliant::pliant)     # the static library, with the libraries that it needs
#   target_link_libraries(mine PRIVATE pliant::shared)     # or libpliant.so
#
# Paths in the installed files are relative to where they lie, so that a prefix can be moved.

include(CMakePackageConfigHelpers)

set(pliant_exported pliant)
if(PLIANT_BUILD_SHARED AND NOT PLIANT_ENGINE_ONLY AND NOT PLIANT_FUZZ)
  # The objects are those of the static library: a link and no compilation. Before 1.0 every minor version may break
  # programs (docs/api-changes.md), so it is in the name that the loader looks for.
  add_library(pliant_shared SHARED $<TARGET_OBJECTS:pliant> $<TARGET_OBJECTS:pliant_step> ${pliant_text_objects})
  set_target_properties(pliant_shared PROPERTIES
    OUTPUT_NAME pliant
    EXPORT_NAME shared
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  target_include_directories(pliant_shared INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(pliant_shared INTERFACE cxx_std_20)
  target_link_libraries(pliant_shared PRIVATE ${pliant_libraries} Threads::Threads)
  # functions of the engine call each other directly
  target_link_options(pliant_shared PRIVATE $<$<PLATFORM_ID:Linux>:-Wl,-Bsymbolic-functions>)
  add_library(pliant::shared ALIAS pliant_shared)
  list(APPEND pliant_exported pliant_shared)
endif()

install(TARGETS ${pliant_exported} EXPORT pliantTargets COMPONENT library)
install(DIRECTORY include/pliant TYPE INCLUDE COMPONENT library)

set(pliant_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/pliant")
install(EXPORT pliantTargets NAMESPACE pliant:: DESTINATION "${pliant_package_folder}" COMPONENT library)
configure_package_config_file(cmake/pliantConfig.cmake.in "${PROJECT_BINARY_DIR}/package/pliantConfig.cmake"
  INSTALL_DESTINATION "${pliant_package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/pliantConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/package/pliantConfig.cmake" "${PROJECT_BINARY_DIR}/package/pliantConfigVersion.cmake"
  DESTINATION "${pliant_package_folder}" COMPONENT library)

file(RELATIVE_PATH pliant_prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/pliant.pc.in "${PROJECT_BINARY_DIR}/package/pliant.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/pliant.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT library)
