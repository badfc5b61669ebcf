# Bodies on a graphics card: the kernels by nvcc, or a sentence in their place.
option(POLHODE_CUDA "Ensembles on a graphics card, by nvcc" OFF)
option(POLHODE_CUDA_FUSED "Fuse products and sums on the card, which changes bits by rounding" ON)
set(POLHODE_CUDA_METHODS "${POLHODE_PACK_METHODS}" CACHE STRING
    "The methods that have kernels for a card in this build, between spaces; or all, which compiles for minutes")
if(NOT POLHODE_CUDA)
  target_sources(polhode_ensemble PRIVATE src/ensemble/no_card.cpp)
  return()
endif()
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
  set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-virtual 90-real)  # Hopper; what is newer, or as old as Ampere, compiles at its first run
endif()
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR "POLHODE_CUDA needs nvcc, which is neither on the PATH nor in /usr/local/cuda/bin nor named by CUDACXX; "
                      "install NVIDIA's CUDA toolkit, or configure with -DPOLHODE_CUDA=OFF")
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
set(parts 4)
math(EXPR last_part "${parts} - 1")
if(POLHODE_CUDA_FUSED)
  set(fused POLHODE_CARD_FUSED)
  set(contraction -fmad=true)
else()
  set(contraction -fmad=false)
endif()
foreach(part RANGE ${last_part})
  add_library(card_kernels_${part} OBJECT cuda/ensemble_kernels.cu)
  target_include_directories(card_kernels_${part} PRIVATE include src)
  # Class layouts depend on __CUDACC__: under another name they never meet those of the library.
  target_compile_definitions(card_kernels_${part} PRIVATE polhode=polhode_cuda PART=${part} PARTS=${parts} ${fused}
    POLHODE_CARD_KERNELS=kernels_of_part_${part} "POLHODE_CARD_METHODS=\"${POLHODE_CUDA_METHODS}\"")
  # Silenced are #pragma GCC unroll, which is not for nvcc (1675), and a loop that a template leaves with nothing to do (186).
  target_compile_options(card_kernels_${part} PRIVATE -O3 ${contraction} --expt-relaxed-constexpr -diag-suppress 1675,186)
  set_target_properties(card_kernels_${part} PROPERTIES CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON
                                                        POSITION_INDEPENDENT_CODE ON)
  target_sources(polhode_ensemble PRIVATE $<TARGET_OBJECTS:card_kernels_${part}>)
endforeach()
target_sources(polhode_ensemble PRIVATE cuda/card.cpp)
set_source_files_properties(cuda/card.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                                                     COMPILE_DEFINITIONS "$<$<BOOL:${POLHODE_CUDA_FUSED}>:POLHODE_CARD_FUSED>")
target_link_libraries(polhode_ensemble PRIVATE CUDA::cudart_static)
