# The functions of nixpkgs' library that the flake calls, with the same meaning.
let
  inherit (builtins) map pathExists stringLength substring;
  hasPrefix = prefix: text: substring 0 (stringLength prefix) text == prefix;
in
rec {
  inherit (builtins) attrNames concatMap elem elemAt filter listToAttrs replaceStrings;

  nameValuePair = name: value: { inherit name value; };
  genAttrs = names: make: listToAttrs (map (name: nameValuePair name (make name)) names);
  getExe = package: "${package}/bin/${package.meta.mainProgram}";
  importJSON = path: builtins.fromJSON (builtins.readFile path);
  importTOML = path: builtins.fromTOML (builtins.readFile path);
  concatMapStrings = make: list: builtins.concatStringsSep "" (map make list);
  splitString = by: text: filter builtins.isString (builtins.split (replaceStrings [ "." ] [ "\\." ] by) text);
  removePrefix = prefix: text: if hasPrefix prefix text then substring (stringLength prefix) (-1) text else text;
  removeSuffix =
    suffix: text:
    let
      rest = stringLength text - stringLength suffix;
    in
    if rest >= 0 && substring rest (-1) text == suffix then substring 0 rest text else text;

  fileset = {
    maybeMissing = path: if pathExists path then path else null;
    unions = filter (path: path != null);
    toSource =
      { root, fileset }:
      let
        wanted = map toString fileset;
        above = path: hasPrefix (path + "/");
      in
      builtins.path {
        name = "source";
        path = root;
        filter = path: _type: builtins.any (file: path == file || above path file || above file path) wanted;
      };
  };

  fetchers.proxyImpureEnvVars = [ "http_proxy" "https_proxy" "no_proxy" "all_proxy" ];

  licenses.mit.spdxId = "MIT";
  sourceTypes.binaryNativeCode.shortName = "binaryNativeCode";
  optionalString = condition: text: if condition then text else "";
  optionals = condition: list: if condition then list else [ ];
  makeBinPath = packages: builtins.concatStringsSep ":" (map (package: "${package}/bin") packages);
  makeLibraryPath = packages: builtins.concatStringsSep ":" (map (package: "${package}/lib") packages);
  optionalAttrs = condition: set: if condition then set else { };
}
