# The packages and builders of nixpkgs that the flake names, made of the host's own tools.
{
  system,
  lib,
  host,
}:
let
  # Bash replaces itself by a script's last command, whose closed output Nix takes for the end of the build: hence the
  # builtin at the end of every script.
  build =
    attributes: script:
    derivation (
      {
        inherit system;
        builder = "/bin/bash";
        args = [ "-euc" "export PATH=\"\${tools-}${host.path}\"\n${script}\nexit 0\n" ];
      }
      // attributes
    );

  programsOf = lib.concatMapStrings (package: "${package}/bin:");

  # What makes a derivation one whose output is known beforehand.
  fixedOutput = [ "outputHash" "outputHashAlgo" "outputHashMode" "impureEnvVars" ];

  # Fetched with the host's network and settings; only the digest decides whether it is accepted.
  fetch =
    name: sha256:
    build {
      inherit name;
      outputHash = sha256;
      outputHashAlgo = "sha256";
      outputHashMode = "flat";
      impureEnvVars = [ "HOME" "PIP_CERT" "PIP_CONFIG_FILE" "PIP_INDEX_URL" "SSL_CERT_FILE" ]
        ++ [ "http_proxy" "https_proxy" "no_proxy" ];
    };

  # From the host's own store of fetched crates.
  crate =
    { name, version, checksum, ... }:
    fetch "${name}-${version}.crate" checksum ''cp ${host.cargoHome}/registry/cache/*/${name}-${version}.crate "$out"'';

  base = final: {
    inherit lib;
    stdenv.hostPlatform = {
      inherit system;
      isLinux = builtins.match ".*-linux" system != null;
    };
    stdenv.cc = {
      bintools.dynamicLinker = host.loader;
      # The folder of the compiler's own libraries.
      cc.lib = build { name = "compiler-libraries"; } ''
        mkdir "$out"
        ln -s "$(dirname "$(realpath "$(cc -print-file-name=libstdc++.so.6)")")" "$out/lib"
      '';
    };

    callPackage =
      file: arguments:
      let
        make = import file;
      in
      make (builtins.intersectAttrs (builtins.functionArgs make) final // arguments);

    runCommand =
      name:
      {
        nativeBuildInputs ? [ ],
        meta ? { },
        passthru ? { },
        ...
      }@attributes:
      script:
      build (
        {
          inherit name;
          tools = programsOf nativeBuildInputs;
        }
        // builtins.intersectAttrs (lib.genAttrs fixedOutput (_name: null)) attributes
      ) script
      // passthru
      // { inherit meta; };

    mkShell =
      { inputsFrom, packages }: build { name = "shell"; inputs = inputsFrom ++ packages; } ''mkdir "$out"'';

    fetchPypi =
      { pname, version, format, dist, python, abi, platform, sha256 }:
      assert format == "wheel" && dist == python;
      let
        interpreter = if lib.elem abi [ "none" "abi3" ] then host.pythonVersion else lib.removePrefix "cp" python;
        platforms = lib.concatMapStrings (name: "--platform ${name} ") (lib.splitString "." platform);
      in
      fetch "${pname}-${version}-${python}-${abi}-${platform}.whl" sha256 ''
        ${host.python} -m pip download --quiet --no-deps --only-binary=:all: --no-input --implementation cp \
          --python-version ${interpreter} ${platforms} --dest fetched ${pname}==${version}
        mv fetched/*.whl "$out"
      '';

    # Writes a small shell script in place of the small program of nixpkgs.
    makeBinaryWrapper = build { name = "make-wrapper"; } ''
      mkdir -p "$out/bin"
      cat > "$out/bin/makeWrapper" <<'END'
      #!/bin/bash
      program="$1" target="$2"
      shift 2
      {
        echo "#!/bin/sh"
        flags=
        while [ "$#" -ge 2 ]; do
          case "$1" in
            --set) echo "export $2='$3'"; shift 3 ;;
            --suffix) echo "export $2=\"\''${$2:+\$$2$3}$4\""; shift 4 ;;
            --add-flags) flags="$2"; shift 2 ;;
            *) break ;;
          esac
        done
        echo "exec $program $flags \"\$@\""
      } > "$target"
      chmod +x "$target"
      [ "$#" -eq 0 ]
      END
      chmod +x "$out/bin/makeWrapper"
    '';

    rustPlatform.buildRustPackage =
      {
        pname,
        version,
        src,
        cargoLock,
        env ? { },
        doCheck,
        meta,
      }:
      assert !doCheck;
      let
        crates = lib.filter (package: package ? checksum) (lib.importTOML cargoLock.lockFile).package;
        vendored = build {
          name = "vendored-crates";
          passAsFile = [ "unpack" ];
          unpack = lib.concatMapStrings (package: ''
            tar -xzf ${crate package} -C "$out"
            echo '{"files":{},"package":"${package.checksum}"}' > "$out/${package.name}-${package.version}/.cargo-checksum.json"
          '') crates;
        } ''
          mkdir "$out"
          . "$unpackPath"
        '';

        settings = {
          CARGO_BUILD_JOBS = host.jobs;
          CARGO_INCREMENTAL = "0";
          CARGO_PROFILE_DEV_DEBUG = "false";
        };
        cargo = ''
          mkdir -p .cargo
          printf '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "${vendored}"\n' > .cargo/config.toml
          export CARGO_HOME="$PWD/.cargo"
          cargo build --frozen --bins --profile ${host.profile} --target-dir target
        '';

        # The dependencies alone, so that a change of the program does not build them again.
        manifest = dirOf cargoLock.lockFile + "/Cargo.toml";
        inherit (lib.importTOML manifest) bench;
        members = (lib.importTOML manifest).workspace.members or [ ];
        copyMember = member: ''
          mkdir -p ${member}
          cp ${dirOf cargoLock.lockFile + "/${member}/Cargo.toml"} ${member}/Cargo.toml
          touch ${member}/lib.rs
        '';
        targets = map (target: target.path or "benches/${target.name}.rs") bench;
        programs = map (target: target.path) ((lib.importTOML manifest).bin or [ ]);
        dependencies = build (settings // { name = "dependencies"; }) ''
          mkdir -p source/src
          cd source
          cp ${manifest} Cargo.toml
          cp ${cargoLock.lockFile} Cargo.lock
          for target in ${toString (targets ++ programs)}; do
            mkdir -p "$(dirname "$target")"
            echo 'fn main() {}' > "$target"
          done
          touch src/lib.rs
          ${lib.concatMapStrings copyMember members}
          echo 'fn main() {}' > src/main.rs
          ${cargo}
          # The crates of the program itself all have this in their names.
          find target -name '*tapps*' | xargs rm -rf
          mv target "$out"
        '';
        compiled = build (settings // env // { name = "${pname}-${version}"; }) ''
          cp -r ${src} source
          cp -r ${dependencies} source/target
          chmod -R u+w source
          cd source
          ${cargo}
          mkdir -p "$out/bin"
          find target -mindepth 2 -maxdepth 2 -type f -executable -exec cp -t "$out/bin" {} +
        '';

        # What the host's Cargo has compiled from the same source; the digest is what Nix knows it by.
        names = map (target: target.name) (lib.importTOML manifest).bin;
        copied = build { name = "${pname}-${version}"; inherit (host) digest; } ''
          test -e ${src}/Cargo.toml
          mkdir -p "$out/bin"
          for name in ${toString names}; do cp "${host.programs}/$name" "$out/bin"; done
        '';
      in
      (if host.programs == null then compiled else copied) // { inherit pname version src meta; };

    python314 =
      build { name = "python-${host.pythonVersion}"; } ''
        mkdir -p "$out/bin"
        ln -s ${host.python} "$out/bin/python3"
      ''
      // {
        inherit (host) pythonVersion;
        meta.mainProgram = "python3";
      };

    # On the host's own path.
    nodejs = build { name = "nodejs"; } ''mkdir "$out"'';
    cacert = build { name = "cacert"; } ''mkdir "$out"'';

  }
  # Named by the flake and not borrowed from the host.
  // lib.genAttrs [
    "chromium"
    "clippy"
    "deadnix"
    "dpkg"
    "git"
    "gcc"
    "graphviz"
    "groff"
    "minisign"
    "nixfmt-tree"
    "qemu-user"
    "redis"
    "rustfmt"
    "skopeo"
    "strace"
    "umoci"
    "util-linux"
  ] (name: build { inherit name; } ''mkdir "$out"'');

  extended =
    overlays:
    let
      final = builtins.foldl' (previous: overlay: previous // overlay final previous) (base final) overlays // {
        extend = overlay: extended (overlays ++ [ overlay ]);
      };
    in
    final;
in
extended [ ]
