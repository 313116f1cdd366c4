# A locked npm package, as its registry has it. npm itself fetches it, so that no address stands here; the digest decides
# whether it is accepted.
{
  lib,
  runCommand,
  nodejs,
  cacert,
}:
{
  library,
  version,
  file,
  artifact_sha256,
  ...
}:
runCommand file
  {
    nativeBuildInputs = [
      nodejs
      cacert
    ];
    outputHash = artifact_sha256;
    outputHashAlgo = "sha256";
    outputHashMode = "flat";
    impureEnvVars = lib.fetchers.proxyImpureEnvVars ++ [
      "NODE_EXTRA_CA_CERTS"
      "npm_config_registry"
    ];
  }
  ''
    export npm_config_cache="$PWD/cache" npm_config_update_notifier=false
    npm pack --silent --ignore-scripts --pack-destination . '${library}@${version}'
    mv '${file}' "$out"
  ''
