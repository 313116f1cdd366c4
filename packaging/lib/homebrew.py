"""The formula for Homebrew, which unpacks the archives of the release."""

from pathlib import Path

from .archive import stem
from .project import PLATFORMS, Project
from .tree import sha256

# Homebrew's words for a kind of machine.
BLOCKS = {
    "x86_64-linux": ("on_linux", "on_intel"),
    "aarch64-linux": ("on_linux", "on_arm"),
    "aarch64-darwin": ("on_macos", "on_arm"),
}


def build(project: Project, folder: Path) -> bytes | None:
    """None where there is no archive to install."""
    blocks: dict[str, list[str]] = {}
    for platform in PLATFORMS.values():
        archive = folder / f"{stem(project, platform)}.tar.gz"
        if archive.is_file():
            system, processor = BLOCKS[platform.name]
            blocks.setdefault(system, []).extend(
                [
                    f"    {processor} do",
                    f'      url "{project.downloads}/{archive.name}"',
                    f'      sha256 "{sha256(archive.read_bytes())}"',
                    "    end",
                ]
            )
    if not blocks:
        return None
    places = [line for system in sorted(blocks) for line in ["", f"  {system} do", *blocks[system], "  end"]]
    # Homebrew refuses a description that is longer than eighty characters.
    return "\n".join(
        [
            f"class {''.join(part.capitalize() for part in project.name.split('-'))} < Formula",
            '  desc "Deterministic verdict on code from locked and verified tools"',
            f'  homepage "{project.homepage}"',
            f'  version "{project.version}"',
            f'  license "{project.licence}"',
            *places,
            "",
            "  def install",
            '    bin.install Dir["bin/*"]',
            '    man1.install Dir["share/man/man1/*"]',
            '    bash_completion.install "share/bash-completion/completions/tapps-mcp"',
            '    fish_completion.install "share/fish/vendor_completions.d/tapps-mcp.fish"',
            '    zsh_completion.install "share/zsh/site-functions/_tapps-mcp"',
            '    doc.install Dir["share/doc/tapps-mcp/*"]',
            "  end",
            "",
            "  test do",
            '    assert_match version.to_s, shell_output("#{bin}/tapps-mcp --version")',
            "  end",
            "end",
            "",
        ]
    ).encode()
