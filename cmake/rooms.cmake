# A line of a list names a file. What includes all files of a list, or compiles them, is made from the list, so that nobody
# must name them a second time.
#
#   cmake -DOUT=folder -P cmake/rooms.cmake     writes the headers without configuring a build (scripts/lint)

get_filename_component(rooms_root "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)

# files_of(list macro column out): the words of a column, from 0, of the lines that begin with `macro`.
function(files_of list macro column out)
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${rooms_root}/${list}")
  endif()
  file(STRINGS "${rooms_root}/${list}" lines REGEX "^${macro}\\(")
  set(files)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^${macro}\\(" "" line "${line}")
    string(REPLACE "," ";" words "${line}")
    list(GET words ${column} word)
    string(STRIP "${word}" word)
    list(APPEND files "${word}")
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# include_all(header list macro column before after): `header` includes <before><word><after> for every line.
function(include_all header list macro column before after)
  files_of("${list}" ${macro} ${column} words)
  set(text "#pragma once\n// Every file that ${list} names.\n\n")
  foreach(word IN LISTS words)
    string(APPEND text "#include \"${before}${word}${after}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT "${header}" CONTENT "${text}" @ONLY)
endfunction()

# include_rooms(folder): rooms/joints.h and rooms/equalities.h in a folder to be searched for headers.
function(include_rooms folder)
  include_all("${folder}/rooms/joints.h" include/pliant/joints.def JOINT 1 joint/ .h)
  include_all("${folder}/rooms/equalities.h" include/pliant/equalities.def EQUALITY 2 constraint/kinds/ _hd.h)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  include_rooms("${OUT}")
endif()
