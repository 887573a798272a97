# One image with all programs; a container runs the one that its command names (docs/rules/running.md 11):
#
#   docker build -t subledger .
#   docker run --rm subledger dist/programs/subledger.js --help
FROM node:22-bookworm-slim AS build
WORKDIR /subledger
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY .swcrc ./
COPY tools tools
COPY apps apps
COPY libs libs
COPY projections projections
RUN node tools/build.mjs && npm prune --omit=dev

FROM node:22-bookworm-slim
# Other containers reach a program only by the address of its own one.
ENV NODE_ENV=production HOST=0.0.0.0 ADMIN_PORT=9090
WORKDIR /subledger
COPY --from=build /subledger/package.json ./
COPY --from=build /subledger/tools/health-check.mjs tools/
COPY --from=build /subledger/node_modules node_modules
COPY --from=build /subledger/dist dist
USER node
EXPOSE 8080 8081 9090
HEALTHCHECK --interval=5s --timeout=4s --start-period=90s CMD ["node", "tools/health-check.mjs"]
ENTRYPOINT ["node"]
CMD ["dist/programs/subledger.js", "--help"]
