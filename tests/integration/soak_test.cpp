// Many thousand mixed calls against one server: nothing may be lost, left or grown (contract C-19 … C-23, C-30).
// COWORK_TERMINAL_SOAK_CALLS sets their number.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "support/catch.hpp"
#include "support/server_process.hpp"

using namespace cowork_terminal::testing;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int calls_at_once = 16;
constexpr int calls_before_baseline = 500;
constexpr int parts = 10;
constexpr std::size_t mebibyte = 1'048'576;
constexpr milliseconds patience(120'000);

int number_of_calls() {
  const char* text = std::getenv("COWORK_TERMINAL_SOAK_CALLS");
  return text == nullptr ? 20'000 : std::max(std::atoi(text), 2 * calls_before_baseline);
}

// One call that is answered. `follow_up` gives the arguments of the next call that its answer asks for, or null.
struct Call {
  std::string kind;
  json arguments;
  std::function<bool(const json& result)> is_right;
  std::function<json(const json& result)> follow_up{};
};

bool has_ended(const json& result, const std::string& standard_output, int exit_code) {
  if (result.at("isError") != false) return false;
  const auto& content = result.at("structuredContent");
  return content.at("stdout") == standard_output && content.at("exitCode") == exit_code &&
         content.at("timedOut") == false;
}

bool has_timed_out(const json& result) {
  if (result.at("isError") != false) return false;
  const auto& content = result.at("structuredContent");
  return content.at("timedOut") == true && content.at("exitCode").is_null();
}

Call ending(std::string kind, const std::string& command, std::string standard_output, int exit_code) {
  return {std::move(kind), {{"command", command}}, [=](const json& result) {
            return has_ended(result, standard_output, exit_code);
          }};
}

Call timing_out(std::string kind, const std::string& command) {
  return {std::move(kind), {{"command", command}, {"timeout", 50}}, has_timed_out};
}

Call refused(json arguments) {
  return {"refused", std::move(arguments),
          [](const json& result) { return result.at("isError") == true && !result.contains("structuredContent"); }};
}

Call job(const std::string& command, bool stop) {
  Call call{"job", {{"command", command}, {"wait", 0}}, [](const json& result) {
              return result.at("isError") == false && result.at("structuredContent").at("stderr") == "";
            }};
  call.follow_up = [stop](const json& result) -> json {
    const auto& content = result.at("structuredContent");
    if (!content.value("running", false)) return nullptr;
    json arguments{{"job", content.at("job")}};
    if (stop) arguments["stop"] = true;
    return arguments;
  };
  return call;
}

class Mixture {
 public:
  explicit Mixture(std::string endless) : endless_(std::move(endless)) {}

  // The commands of cancelled calls would never end by themselves.
  std::string endless_command() {
    const std::string commands[] = {endless_, "setsid " + endless_ + " & wait",
                                    "(env -i setsid sh -c '" + endless_ + " &' &); " + endless_,
                                    "yes | head -c 3000000; " + endless_, "while :; do " + endless_ + " & wait; done"};
    return commands[random_() % std::size(commands)];
  }

  bool cancels_next() { return random_() % 16 == 0; }

  Call next() {
    const auto number = std::to_string(random_() % 100'000);
    const auto dice = random_() % 200;
    if (dice < 60) return ending("echo", "echo " + number, number + "\n", 0);
    if (dice < 80) {
      const int code = static_cast<int>(random_() % 256);
      return ending("exit code", "exit " + std::to_string(code), "", code);
    }
    if (dice < 85) return flood();
    if (dice < 86) return timing_out("ignored SIGTERM", "trap '' TERM; " + endless_ + " & wait");
    if (dice < 105) return timing_out("timeout", endless_);
    if (dice < 115) return timing_out("escapee", "setsid " + endless_ + " & " + endless_);
    if (dice < 125) {
      return timing_out("daemon",
                        "(setsid sh -c '(env -i sh -c \"trap : HUP; " + endless_ + "\" &) ; exit' &) ; sleep 9");
    }
    if (dice < 140) return refusal();
    if (dice < 148) return long_script(number);
    if (dice < 160) return background_writer(number);
    if (dice < 170) return ending("killed", "printf " + number + "; kill -9 $$", number, 137);
    if (dice < 180) {
      return job("echo a; sleep 0.0" + std::to_string(random_() % 10) + "; echo b", false);
    }
    if (dice < 184) return job(endless_, true);
    Call variables = ending("variables", "printf %s \"$V$PWD\"", "\u00e9 " + number + "/", 0);
    variables.arguments["env"] = {{"V", "\u00e9 " + number}, {"HOME", nullptr}};
    variables.arguments["cwd"] = "/";
    return variables;
  }

 private:
  Call flood() {
    return {"flood",
            {{"command", "yes 0123456789abcde | head -c 3000000; yes fedcba987654321 | head -c 2000000 >&2; exit 5"}},
            [](const json& result) {
              const auto& content = result.at("structuredContent");
              const auto size = [&](const char* name) { return content.at(name).get_ref<const std::string&>().size(); };
              return content.at("exitCode") == 5 && size("stdout") > mebibyte && size("stdout") < mebibyte + 100 &&
                     size("stderr") > mebibyte && size("stderr") < mebibyte + 100;
            }};
  }

  // What comes within 250 ms of the end of bash belongs to the answer (contract C-19).
  Call background_writer(const std::string& number) {
    return {"background writer",
            {{"command", "(for i in 1 2 3 4; do sleep 0.1; echo $i; done; : " + endless_ + ") & echo " + number}},
            [number](const json& result) {
              const auto all = number + "\n1\n2\n3\n4\n";
              const auto text = result.at("structuredContent").at("stdout").get<std::string>();
              return text.size() > number.size() && all.starts_with(text) && has_ended(result, text, 0);
            }};
  }

  Call refusal() {
    const json arguments[] = {{{"command", "touch /nowhere"}, {"cwdd", "/"}},
                              {{"command", "true"}, {"cwd", "/no/such/folder"}},
                              {{"command", "true"}, {"timeout", 0}},
                              {{"command", "true"}, {"env", {{"A=B", "c"}}}},
                              {{"command", std::string("a\0b", 3)}},
                              {{"job", "nosuchjob"}},
                              json::object()};
    return refused(arguments[random_() % std::size(arguments)]);
  }

  Call long_script(const std::string& number) {
    return ending("long script", ": '" + std::string(140'000, 'x') + "'\necho " + number + "; exit 3", number + "\n",
                  3);
  }

  std::string endless_;
  std::mt19937 random_{20'261'130};
};

class Soak {
 public:
  Soak(ServerProcess& server, Mixture& mixture) : server_(server), mixture_(mixture) {}

  // Starts this many calls, and returns when all are answered or cancelled.
  void run(int count) {
    const int end = started_ + count;
    while (started_ < end || !running_.empty()) {
      while (started_ < end && running_.size() < calls_at_once) start_next();
      if (!running_.empty()) receive(server_.read_message(patience));
    }
    cancel_pending();
  }

  [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }
  [[nodiscard]] const std::map<std::string, int>& counts() const { return counts_; }

 private:
  void start_next() {
    cancel_pending();
    ++started_;
    if (mixture_.cancels_next()) {
      pending_cancel_ = server_.call({{"command", mixture_.endless_command()}});
      cancelled_.insert(*pending_cancel_);
      ++counts_["cancelled"];
      return;
    }
    auto call = mixture_.next();
    ++counts_[call.kind];
    const int id = server_.call(call.arguments);
    running_.emplace(id, std::move(call));
  }

  // The call has run since the last start, or not started yet.
  void cancel_pending() {
    if (!pending_cancel_) return;
    server_.send({{"jsonrpc", "2.0"},
                  {"method", "notifications/cancelled"},
                  {"params", {{"requestId", *std::exchange(pending_cancel_, std::nullopt)}}}});
  }

  void receive(const json& message) {
    const int id = message.value("id", 0);
    const auto call = running_.extract(id);
    if (call.empty()) {
      complain((cancelled_.count(id) > 0 ? "answered although cancelled: " : "not asked for: ") + message.dump());
      return;
    }
    if (!message.contains("result") || !call.mapped().is_right(message.at("result"))) {
      complain(call.mapped().kind + " " + call.mapped().arguments.dump() + ": " + message.dump());
      return;
    }
    if (!call.mapped().follow_up) return;
    auto arguments = call.mapped().follow_up(message.at("result"));
    if (arguments.is_null()) return;
    auto next = std::move(call.mapped());
    next.arguments = arguments;
    running_.emplace(server_.call(std::move(arguments)), std::move(next));
  }

  void complain(const std::string& what) {
    if (wrong_.size() < 20) wrong_.push_back(what.substr(0, 600));
  }

  ServerProcess& server_;
  Mixture& mixture_;
  std::map<int, Call> running_;
  std::set<int> cancelled_;
  std::optional<int> pending_cancel_;
  std::map<std::string, int> counts_;
  std::vector<std::string> wrong_;
  int started_ = 0;
};

// But the supervisor on standby.
int children_of(pid_t process) {
  const auto number = std::to_string(process);
  std::istringstream children(read_file("/proc/" + number + "/task/" + number + "/children"));
  int count = 0;
  for (std::string child; children >> child;)
    count += read_file("/proc/" + child + "/comm") != "cowork-standby\n" ? 1 : 0;
  return count;
}

std::size_t bytes_in(const std::string& folder) {
  std::size_t size = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) size += entry.file_size();
  return size;
}

}  // namespace

TEST_CASE("many mixed calls leave nothing and make nothing grow", "[C-19][C-20][C-21][C-22][C-23]") {
  const auto start = Clock::now();
  const TemporaryFolder folder;
  const auto token = "86400." + std::to_string(getpid());
  ServerProcess server(
      {.arguments = {"--max-wait", "45000", "--audit-log", folder.file("commands.jsonl")}, .audit_log = true});
  server.initialize();
  Mixture mixture("sleep " + token);
  Soak soak(server, mixture);

  const auto settled = [&] {
    return wait_until([&] { return processes_with(token).empty() && children_of(server.pid()) == 0; },
                      milliseconds(20'000));
  };
  soak.run(calls_before_baseline);
  CHECK(settled());
  const auto descriptors = open_descriptors(server.pid());
  const auto memory = resident_kib(server.pid());
  std::ostringstream growth;
  for (int part = 0; part < parts; ++part) {
    soak.run((number_of_calls() - calls_before_baseline) / parts);
    growth << " " << resident_kib(server.pid());
  }

  CHECK(settled());
  CHECK(soak.wrong() == std::vector<std::string>());
  CHECK(wait_until([&] { return open_descriptors(server.pid()) <= descriptors; }));
  CHECK(wait_until([&] { return zombies_of(server.pid()).empty(); }));
  CHECK(resident_kib(server.pid()) <= memory + 16 * 1'024);
  CHECK(processes_with(token).empty());
  CHECK(bytes_in(folder.path()) <= 4 * 10'500'000);
  CHECK(server.answers_ping());

  const auto seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::cout << std::fixed << std::setprecision(1) << number_of_calls() << " calls in " << seconds << " s\n"
            << "  after " << calls_before_baseline << " calls: " << descriptors << " descriptors, " << memory
            << " KiB\n"
            << "  at the end:      " << open_descriptors(server.pid()) << " descriptors, " << resident_kib(server.pid())
            << " KiB, peak " << peak_resident_kib(server.pid()) << " KiB\n"
            << "  meanwhile, KiB: " << growth.str() << "\n"
            << "  log: " << bytes_in(folder.path()) / 1'024 << " KiB\n";
  for (const auto& [kind, count] : soak.counts()) std::cout << "  " << std::setw(6) << count << " " << kind << "\n";

  server.close_input();
  CHECK(server.wait_for_exit() == 0);
}
