# Many bodies at once, a library of its own: polhode::ensemble.
set(POLHODE_PACK_METHODS "mclachlan-reich-231 lie-verlet no-squish rkmk-4 taylor-4 free-exact" CACHE STRING
    "The methods that have packs of bodies in this build, between spaces; or all, which compiles for minutes")
find_package(TBB QUIET)
find_path(POLHODE_RANDOM123_INCLUDE Random123/philox.h)
if(POLHODE_APPS AND NOT (TBB_FOUND AND POLHODE_RANDOM123_INCLUDE))
  message(FATAL_ERROR "the program needs oneTBB and Random123 (libtbb-dev, librandom123-dev)")
elseif(NOT TBB_FOUND OR NOT POLHODE_RANDOM123_INCLUDE)
  message(NOTICE "no oneTBB or Random123 (libtbb-dev, librandom123-dev): ensembles are left out")
  return()
endif()
file(GLOB ensemble_sources CONFIGURE_DEPENDS src/ensemble/*.cpp)
list(FILTER ensemble_sources EXCLUDE REGEX "/(pack_shard|no_card)\\.cpp$")
add_library(polhode_ensemble STATIC ${ensemble_sources})
add_library(polhode::ensemble ALIAS polhode_ensemble)
target_link_libraries(polhode_ensemble PUBLIC polhode::polhode PRIVATE polhode_flags fmt::fmt TBB::tbb
                                       $<BUILD_INTERFACE:Boost::headers> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
target_include_directories(polhode_ensemble PRIVATE src)
target_include_directories(polhode_ensemble SYSTEM PRIVATE ${POLHODE_RANDOM123_INCLUDE})
target_compile_options(polhode_ensemble PRIVATE -O2)
set_target_properties(polhode_ensemble PROPERTIES POSITION_INDEPENDENT_CODE ON
                                                  UNITY_BUILD ${POLHODE_UNITY} UNITY_BUILD_BATCH_SIZE 0)
if(hdf5_include)
  file(GLOB ensemble_hdf5_sources CONFIGURE_DEPENDS src/ensemble/hdf5/*.cpp)
  list(FILTER ensemble_hdf5_sources EXCLUDE REGEX "/absent\\.cpp$")
  set_source_files_properties(${ensemble_hdf5_sources} PROPERTIES COMPILE_OPTIONS "${hdf5_include}")
  target_link_libraries(polhode_ensemble PRIVATE ${POLHODE_HDF5_LIBRARY})
else()
  set(ensemble_hdf5_sources src/ensemble/hdf5/absent.cpp)
endif()
target_sources(polhode_ensemble PRIVATE ${ensemble_hdf5_sources})

# The same kernels for each instruction set, in a namespace of its own: no function made for one processor is linked where
# another was meant. Two or three registers of bodies are in a pack, and GCC puts what is independent side by side before it
# assigns registers. Its search for vectors in scalar code is off: it fuses sums and differences of products (vfmaddsub)
# though -ffp-contract=off forbids it, and bodies that go one by one would have other bits. Without it, it takes registers that
# are filled part by part for uninitialised. Packs with products and sums fused
# are for who asks for them (--fast); at -O2, steps of three registers pass through memory.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_definitions(polhode_ensemble PRIVATE POLHODE_PACKS)
  set(flags_of_sse2 "")
  set(flags_of_avx2 -mavx2 -mfma)
  set(flags_of_avx512 -mavx512f -mavx512dq -mavx512vl -mavx2 -mfma -mprefer-vector-width=512)
  set(width_of_sse2 2)
  set(width_of_avx2 4)
  set(width_of_avx512 8)
  add_library(polhode_fused INTERFACE)  # after polhode_flags, which says the opposite
  target_compile_options(polhode_fused INTERFACE -ffp-contract=fast -O3)
  target_compile_definitions(polhode_fused INTERFACE POLHODE_PACK_FUSED)
  foreach(shard sse2 avx2 avx512 avx2_fused avx512_fused)
    string(REPLACE "_fused" "" set ${shard})
    add_library(bodies_of_${shard} OBJECT src/ensemble/pack_shard.cpp)
    target_link_libraries(bodies_of_${shard} PRIVATE polhode_headers polhode_flags)
    if(NOT shard STREQUAL set)
      target_link_libraries(bodies_of_${shard} PRIVATE polhode_fused)
    else()
      target_compile_options(bodies_of_${shard} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
    endif()
    target_include_directories(bodies_of_${shard} PRIVATE src)
    target_compile_definitions(bodies_of_${shard} PRIVATE polhode=polhode_${shard} POLHODE_PACK_KERNELS=kernels_of_${shard}
      POLHODE_PACK_WIDTH=${width_of_${set}} "POLHODE_PACK_METHODS=\"${POLHODE_PACK_METHODS}\"")
    target_compile_options(bodies_of_${shard} PRIVATE -O2 -Wno-psabi ${flags_of_${set}} ${POLHODE_WHOLE_CATALOGUE}
      $<$<CXX_COMPILER_ID:GNU>:-fschedule-insns;-fsched-pressure;-Wno-maybe-uninitialized>)
    set_target_properties(bodies_of_${shard} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_sources(polhode_ensemble PRIVATE $<TARGET_OBJECTS:bodies_of_${shard}>)
  endforeach()
endif()
include(cmake/cuda.cmake)
