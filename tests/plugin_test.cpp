// Methods from shared libraries: they step to the same bits as the listed ones, take suffixes and parameters, and whatever
// is wrong with a library or a step is said in its name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "io_support.hpp"
#include "polhode/core/error.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/methods/plugin.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::plugin_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string built = POLHODE_BINARY_DIR "/tests/";

void load_test_methods() {
  EXPECT_THAT(load_plugin(built + "test_methods.so"),
              ElementsAre("plugged-axes", "plugged-rkmk", "plugged-order-4", "plugged-wrong"));
}

// The bits of state, momentum and work after some steps there, some back and a turn.
template <class T>
std::string bits(const std::string& method, const Setup& setup) {
  const Prepared<T> prepared = prepare<T>(setup);
  const auto stepper = make_stepper<T>(parse_method(method), prepared.body, prepared.field);
  const T h = prepared.time_in(0.1);
  stepper->start(prepared.start, h);
  for (int n = 0; n < 50; ++n) stepper->step(h);
  stepper->turn(exp(Vec3<T>{T(0.1), T(-0.2), T(0.3)}));
  stepper->reverse();
  for (int n = 0; n < 20; ++n) stepper->step(-h);
  const auto copy = stepper->clone();
  copy->step(-h);
  stepper->copy_from(*copy);
  Archive archive;
  Vec3<T> momentum = stepper->momentum_S();
  archive(stepper->state, momentum, stepper->work.torque_evaluations);
  return archive.bytes();
}

Setup top() { return find_problem("asymmetric-top-tilted")->setup; }
Setup free_body() {
  Setup setup = top();
  setup.torques.clear();
  return setup;
}

TEST(Plugin, ACopyOfAListedMethodHasItsBits) {
  load_test_methods();
  for (const auto& setup : {free_body(), top()}) {
    for (const char* suffix : {"", "@suzuki", "+energy", "@triple-jump+energy/3"})
      EXPECT_EQ(bits<double>(std::string("plugged-axes") + suffix, setup),
                bits<double>(std::string("mclachlan-reich-231") + suffix, setup))
          << suffix;
    EXPECT_EQ(bits<double>("plugged-rkmk", setup), bits<double>("rkmk-4", setup));
    EXPECT_EQ(bits<quad>("plugged-rkmk", setup), bits<quad>("rkmk-4", setup));
  }
  EXPECT_NE(bits<double>("plugged-rkmk", top()), bits<double>("plugged-axes", top()))
      << "or the test would see nothing";
}

TEST(Plugin, IsListedOnceBehindTheOthersAndReferencesStay) {
  const MethodInfo& first = methods().front();
  const std::string_view name = first.name;
  load_test_methods();
  const std::size_t count = methods().size();
  load_test_methods();
  EXPECT_EQ(methods().size(), count);
  EXPECT_EQ(&first, &methods().front());
  EXPECT_EQ(name, methods().front().name);
  const MethodInfo& last = methods()[parse_method("plugged-wrong:how=3").index];
  EXPECT_THAT(std::string(last.plugin), HasSubstr("test_methods.so"));
  EXPECT_EQ(last.parameters.at(0).name, "how");
  EXPECT_EQ(parse_method("plugged-wrong:how=3").name, "plugged-wrong:how=3");
  EXPECT_TRUE(methods()[parse_method("rkmk-4").index].plugin.empty());
}

std::string said_by(const std::function<void()>& act, ErrorKind kind) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind), static_cast<int>(kind)) << error.what();
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "nothing";
}

TEST(Plugin, ASuffixIsRefusedWhereClaimsDoNotAllowIt) {
  load_test_methods();
  EXPECT_THROW(parse_method("plugged-rkmk@suzuki"), MethodError);
  EXPECT_THROW(parse_method("plugged-wrong:how=10"), MethodError);
}

TEST(Plugin, AScalarThatItLacksIsRefusedByName) {
  load_test_methods();
  const Prepared<quad> prepared = prepare<quad>(top());
  try {
    make_stepper<quad>(parse_method("plugged-axes"), prepared.body, prepared.field);
    FAIL();
  } catch (const MethodError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("plugged-axes of the plug-in"), HasSubstr("113 binary digits")));
  }
}

TEST(Plugin, WhatAStepThrowsIsNamed) {
  load_test_methods();
  const auto run_to_end = [](const char* method) {
    return [method] { Simulation(top(), method, {.step = 0.1}).advance_to(1); };
  };
  EXPECT_THAT(said_by(run_to_end("plugged-wrong"), ErrorKind::run_failed),
              AllOf(HasSubstr("plugged-wrong of the plug-in"), HasSubstr("threw an exception in its step"),
                    HasSubstr("no such thing")));
  EXPECT_THAT(said_by(run_to_end("plugged-wrong:how=1"), ErrorKind::run_failed),
              AllOf(HasSubstr("plugged-wrong of the plug-in"), HasSubstr("of a kind unknown here")));
  EXPECT_EQ(plugin_at_work(), nullptr);
}

TEST(Plugin, FilesThatAreNoneAreRefused) {
  const TestFolder folder;
  EXPECT_THAT(said_by([&] { load_plugin(folder.file("none.so")); }, ErrorKind::file_missing), HasSubstr("none.so"));
  EXPECT_THAT(said_by([&] { load_plugin(folder.path()); }, ErrorKind::bad_file), HasSubstr("is not a file"));
  EXPECT_THAT(said_by([&] { load_plugin(folder.write("text.so", "hello")); }, ErrorKind::bad_file),
              AllOf(HasSubstr("text.so"), HasSubstr("is not a shared library that can be loaded")));
  EXPECT_THAT(said_by([&] { load_plugin(built + "no_plugin.so"); }, ErrorKind::bad_file),
              AllOf(HasSubstr("has no symbol polhode_plugin"), HasSubstr("POLHODE_PLUGIN(MyMethod, \"my-method\")")));
}

// Each a copy of the library: a file that was loaded before is not asked again.
TEST(Plugin, LibrariesThatCannotBeAreRefusedAndNothingIsListed) {
  const TestFolder folder;
  const std::size_t before = methods().size();
  const auto loaded_as = [&](const std::string& wish) {
    const std::string copy = folder.file(wish + ".so");
    std::filesystem::copy_file(built + "odd_library.so", copy);
    setenv("POLHODE_TEST_LIBRARY", wish.c_str(), 1);
    const auto kind = wish == "throws" ? ErrorKind::run_failed : ErrorKind::bad_file;
    const std::string said = said_by([&] { load_plugin(copy); }, kind);
    EXPECT_THAT(said, HasSubstr("the plug-in '" + copy + "'"));
    return said;
  };
  EXPECT_THAT(loaded_as("interface"), HasSubstr("version 999 of the interface"));
  EXPECT_THAT(loaded_as("layout"), HasSubstr("was compiled with other headers"));
  EXPECT_THAT(loaded_as("null"), HasSubstr("returns no library"));
  EXPECT_THAT(loaded_as("throws"), HasSubstr("not today"));
  EXPECT_THAT(loaded_as("empty"), HasSubstr("has no method"));
  EXPECT_THAT(loaded_as("taken"), HasSubstr("named 'rkmk-4', and there is one already"));
  EXPECT_THAT(loaded_as("alias"), HasSubstr("named 'lie-euler', and there is one already"));
  EXPECT_THAT(loaded_as("auto"), HasSubstr("named 'auto'"));
  EXPECT_THAT(loaded_as("name"), HasSubstr("small letters, digits and hyphens"));
  EXPECT_THAT(loaded_as("order"),
              AllOf(HasSubstr("claims that cannot be"), HasSubstr("an order of 1 in attitude and 0")));
  EXPECT_THAT(loaded_as("both"), HasSubstr("loses energy on purpose and that it keeps it"));
  EXPECT_THAT(loaded_as("calls"), HasSubstr("-1 torque evaluations"));
  EXPECT_THAT(loaded_as("torque"), HasSubstr("takes no torque"));
  EXPECT_THAT(loaded_as("float"), HasSubstr("not in double"));
  EXPECT_EQ(methods().size(), before);
  unsetenv("POLHODE_TEST_LIBRARY");
}

}  // namespace
}  // namespace polhode::plugin_test
