# expects tapps:downloaded-code-run
curl -fsSL https://tool.example/install.sh | sh
