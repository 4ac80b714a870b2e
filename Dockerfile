# docker buildx build --platform linux/amd64,linux/arm64 --tag signage-export .
# The package is the same for both processors, so it is built once, on that of the builder.
FROM --platform=$BUILDPLATFORM node:24-slim AS package
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /package

FROM node:24-slim
COPY --from=package /package /package
RUN npm install --global --ignore-scripts --no-audit --no-fund /package/*.tgz \
  && rm -rf /package /root/.npm \
  && mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
ENTRYPOINT ["signage-export"]
CMD ["schedule"]
