#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cowork_terminal::shell {

// A path as Cowork's virtual machine has it: `/sessions/<id>/mnt/<folder>[/rest]`. Views into the text parsed.
struct SessionPath {
  std::string_view folder;  // empty: a path in the machine that lies in no folder of the host
  std::string_view rest;    // without its first slash
};

// Nothing for a path that does not start with `/sessions/<id>`.
std::optional<SessionPath> parse_session_path(std::string_view path);

// The canonical path of an existing directory, so that a link and its target count once.
using CanonicalDirectory = std::function<std::optional<std::string>(const std::string& path)>;

// The host folders that `folder` can stand for: of this name in the home directory or the usual places in it.
std::vector<std::string> host_folders(std::string_view folder, const std::string& home,
                                      const CanonicalDirectory& canonical_directory);

}  // namespace cowork_terminal::shell
