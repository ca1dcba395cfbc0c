# The API with its console and the device agent that it serves, from the package that npm installs: nothing else is in
# it. `docker build .` packs this clone; `--build-arg SOURCE=tarball --build-arg TARBALL=grove-api.tgz` takes a released
# package of the build's directory. `--target slim` has a shell, for who wants to look around.
ARG NODE=docker.io/library/node:24-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe
ARG DISTROLESS=gcr.io/distroless/nodejs24-debian13:nonroot@sha256:9eeb7f5887d0e239e78264b06f7f11d2e14be534050481803a9e4728fcdd278e
ARG SOURCE=clone

# What differs between processors is installed for the one that the image is for, so that none is emulated.
FROM --platform=${BUILDPLATFORM} ${NODE} AS clone
WORKDIR /clone
COPY . .
RUN ["npm", "run", "build"]
WORKDIR /clone/apps/api
RUN ["npx", "--yes", "pnpm@12.21.0", "pack", "--out", "/grove-api.tgz"]

FROM scratch AS tarball
ARG TARBALL=grove-api.tgz
COPY ${TARBALL} /grove-api.tgz

FROM ${SOURCE} AS package

FROM --platform=${BUILDPLATFORM} ${NODE} AS install
ARG TARGETARCH
WORKDIR /app
COPY --from=package /grove-api.tgz /tmp/grove-api.tgz
RUN ["sh", "-c", "case $TARGETARCH in amd64) cpu=--cpu=x64 ;; arm64) cpu=--cpu=arm64 ;; esac; npm install $cpu --os=linux --libc=glibc --prefix /app --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error /tmp/grove-api.tgz"]
# The directory of data gets its owner here, since the images that run have no shell.
RUN ["install", "--directory", "--owner=65532", "--group=65532", "--mode=0700", "/var/lib/grove"]

FROM ${NODE} AS slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/grove
COPY --from=install /app /app
COPY --from=install --chown=65532:65532 /var/lib/grove /var/lib/grove
WORKDIR /var/lib/grove
USER 65532:65532
EXPOSE 3000
VOLUME ["/var/lib/grove"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/node_modules/.bin/grove-api", "health"]
ENTRYPOINT ["node", "/app/node_modules/.bin/grove-api"]

FROM ${DISTROLESS} AS run
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Grove" \
      org.opencontainers.image.description="A self-hosted control plane for coding agents: the API and its console" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/grove
COPY --from=install /app /app
COPY --from=install --chown=65532:65532 /var/lib/grove /var/lib/grove
WORKDIR /var/lib/grove
USER 65532:65532
EXPOSE 3000
VOLUME ["/var/lib/grove"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["/nodejs/bin/node", "/app/node_modules/.bin/grove-api", "health"]
ENTRYPOINT ["/nodejs/bin/node", "/app/node_modules/.bin/grove-api"]
