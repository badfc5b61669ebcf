# Installation, and the package that find_package(polhode CONFIG) finds: installed, or straight from the build tree.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/polhode)
set_target_properties(polhode_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(polhode_engine PROPERTIES EXPORT_NAME engine)
set_target_properties(polhode_flags PROPERTIES EXPORT_NAME flags)

# In two parts, because the first needs no other library.
install(TARGETS polhode_headers polhode_engine polhode_flags EXPORT polhode-engine-targets COMPONENT development)
install(DIRECTORY include/polhode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
set(polhode_exports polhode-engine-targets)
if(TARGET polhode)
  install(TARGETS polhode EXPORT polhode-targets COMPONENT development)
  list(APPEND polhode_exports polhode-targets)
endif()
if(TARGET polhode_ensemble)
  set_target_properties(polhode_ensemble PROPERTIES EXPORT_NAME ensemble)
  install(TARGETS polhode_ensemble EXPORT polhode-ensemble-targets COMPONENT development)
  list(APPEND polhode_exports polhode-ensemble-targets)
endif()
foreach(export ${polhode_exports})
  install(EXPORT ${export} NAMESPACE polhode:: DESTINATION ${package_dir} COMPONENT development)
  export(EXPORT ${export} NAMESPACE polhode:: FILE ${PROJECT_BINARY_DIR}/${export}.cmake)
endforeach()

# What must be there to link the installed library. Libraries of headers were used up when it was compiled; a build
# tree still names them.
set(polhode_dependencies fmt tomlplusplus)
configure_package_config_file(cmake/polhode-config.cmake.in ${PROJECT_BINARY_DIR}/installed/polhode-config.cmake
                              INSTALL_DESTINATION ${package_dir})
list(APPEND polhode_dependencies Eigen3 Boost nlohmann_json)
configure_package_config_file(cmake/polhode-config.cmake.in ${PROJECT_BINARY_DIR}/polhode-config.cmake
                              INSTALL_DESTINATION ${PROJECT_BINARY_DIR} INSTALL_PREFIX ${PROJECT_BINARY_DIR})

# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/polhode-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/installed/polhode-config.cmake ${PROJECT_BINARY_DIR}/polhode-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)
