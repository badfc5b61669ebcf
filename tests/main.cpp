// The main function of the test programs. A program holds several test files, and is linked under the name of each:
// started as rows_test it runs the tests of rows_test.cpp, and under its own name all of them.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace {

// Takes the tests of all other files out of the filter. Returns how many are in the file.
int run_only_tests_of(const std::string& file) {
  int found = 0;
  std::string others;
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  for (int i = 0; i < program.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *program.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      if (std::filesystem::path(test.file()).stem() == file) {
        ++found;
      } else {
        others += std::string(others.empty() ? "" : ":") + test.test_suite_name() + '.' + test.name();
      }
    }
  }
  std::string& filter = testing::GTEST_FLAG(filter);
  if (!others.empty()) filter += (filter.find('-') == std::string::npos ? '-' : ':') + others;
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::string name = std::filesystem::path(argv[0]).filename();
  if (name.ends_with("_test") && run_only_tests_of(name) == 0) {
    std::fprintf(stderr, "%s: this program has no tests from %s.cpp\n", argv[0], name.c_str());
    return 1;
  }
  return RUN_ALL_TESTS();
}
