#include <cowork_terminal/registration/install.hpp>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "unit/registration/machine.hpp"

using namespace cowork_terminal::registration;
using Json = nlohmann::ordered_json;

namespace {

const std::string commented =
    "{\n\t// Mine.\n\t\"mcpServers\": {\n\t\t\"a\": { \"command\": \"x\" }, // a\n\t},\n\t\"servers\": {/* none "
    "*/},\n}\n";

}  // namespace

TEST_CASE("every client's file is as it was when the entry is taken out again", "[registration]") {
  const std::vector<std::string> json_texts{"",
                                            "\n",
                                            "{}",
                                            "{ }\n",
                                            "{\n}\n",
                                            "// mine\n",
                                            "{\"mcpServers\": {}, \"servers\": {\n}}",
                                            "{\"a\": 1,}",
                                            "{\"mcpServers\": { }}\r\n",
                                            "{\r\n\t\"servers\": {\r\n\r\n\t}\r\n}",
                                            commented};
  const std::vector<std::string> toml_texts{"", "\n", "model = \"o\"", "[mcp_servers.x]\r\ncommand = \"y\"\r\n"};
  for (const Client& client : clients()) {
    for (const std::string& text : client.syntax == ConfigSyntax::toml ? toml_texts : json_texts) {
      Machine machine;
      machine.client = client.name;
      CAPTURE(machine.client, text);
      write_text(machine.file(), text);
      CHECK(machine.install().exit_code == 0);
      CHECK(read_text(machine.file()) != text);
      CHECK(machine.uninstall().exit_code == 0);
      CHECK(read_text(machine.file()) == text);
    }
    Machine machine;
    machine.client = client.name;
    CHECK(machine.install().exit_code == 0);
    CHECK(machine.uninstall().exit_code == 0);
    CHECK(files_in(machine.file().parent_path()) == 0);
  }
}

TEST_CASE("taking out what is not there is fine and writes nothing", "[registration]") {
  const Machine machine;
  const InstallReport missing = machine.uninstall();
  CHECK(missing.exit_code == 0);
  CHECK(contains(missing.text, "is not registered with Claude Desktop"));
  CHECK_FALSE(std::filesystem::exists(machine.file()));
  write_text(machine.file(), "{\"mcpServers\": {\"x\": {\"command\": \"y\"}}}");
  CHECK(machine.uninstall().exit_code == 0);
  CHECK(files_in(machine.file().parent_path()) == 1);
}

TEST_CASE("what a person added to the file since the installation stays", "[registration]") {
  const Machine machine;
  write_text(machine.file(), "{}");
  machine.install();
  std::string text = read_text(machine.file());
  text.replace(text.rfind('}'), 1, "  , \"later\": true }");
  write_text(machine.file(), text);
  CHECK(machine.uninstall().exit_code == 0);
  CHECK(read_json(machine.file()) == Json::parse(R"({"mcpServers": {}, "later": true})"));
}
