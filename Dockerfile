# The program with its tools: nothing is fetched when it runs. `packaging/release --image` makes a smaller image without a daemon.
#
#   docker build -t tapps-mcp .
#   docker run --rm -i -v "$PWD:/project" tapps-mcp gate .
FROM rust:1.95-slim-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends build-essential python3 \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --release --locked --bins

FROM python:3.14-slim-bookworm AS tools
COPY --from=build /source/target/release/tapps-mcp /usr/local/bin/tapps-mcp
RUN tapps-mcp toolchain install --python-tag cp314 --target /opt/tapps-mcp/toolchain

FROM python:3.14-slim-bookworm
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends git \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 tapps
COPY --from=build /source/target/release/tapps-mcp /source/target/release/coderef /usr/local/bin/
COPY --from=tools /opt/tapps-mcp/toolchain /opt/tapps-mcp/toolchain
ENV TAPPS_MCP_TOOLCHAIN_DIR=/opt/tapps-mcp/toolchain \
    TAPPS_MCP_PYTHON=/usr/local/bin/python3 \
    TAPPS_MCP_OFFLINE=1
USER 1000
WORKDIR /project
# True of every way to serve: what gives verdicts is as locked.
HEALTHCHECK --interval=5m --timeout=60s --start-period=60s --retries=2 CMD ["tapps-mcp", "toolchain", "verify"]
ENTRYPOINT ["tapps-mcp"]
CMD ["serve"]
