# Scripts, styles and texts of HTML pages are files of their own, so that other tools can read and run them. Programs carry
# them as string literals in pages/<name>.h, made here.
#
#   cmake -DOUT=folder -P cmake/pages.cmake     writes the headers without configuring a build (scripts/lint)

get_filename_component(pages_root "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)

# include_texts(header folder names…): a constant kText_<name>, dots as underscores, for every file of the folder.
function(include_texts header folder)
  set(text "#pragma once\n// The files of ${folder}.\n\nnamespace pliant {\n")
  foreach(name IN LISTS ARGN)
    set(path "${pages_root}/${folder}/${name}")
    if(NOT CMAKE_SCRIPT_MODE_FILE)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    endif()
    file(READ "${path}" content)
    string(REPLACE "." "_" word "${name}")
    string(APPEND text "inline constexpr const char* kText_${word} = R\"PAGE(${content})PAGE\";\n")
  endforeach()
  string(APPEND text "}  // namespace pliant\n")
  set(before "")
  if(EXISTS "${header}")
    file(READ "${header}" before)
  endif()
  # unchanged headers keep their time, so that nothing is compiled again
  if(NOT before STREQUAL text)
    file(WRITE "${header}" "${text}")
  endif()
endfunction()

function(include_pages folder)
  include_texts("${folder}/pages/explain.h" src/analysis/pages
    style.css parts.js tuning.html scalar_map.js tuning_law.js tuning.js mimic.html mimic_law.js mimic.js)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  include_pages("${OUT}")
endif()
