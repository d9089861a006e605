# syntax=docker/dockerfile:1

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json prisma.config.ts schema.graphql openapi.json ./
COPY prisma ./prisma
COPY scripts ./scripts
COPY packages ./packages
COPY web ./web
COPY docs/rules ./docs/rules
COPY src ./src
RUN node scripts/build.mjs && node scripts/prune.mjs

FROM node:24-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/packages/client/dist ./packages/client/dist
COPY prisma/migrations ./prisma/migrations
COPY examples ./examples
COPY licenses ./licenses
# Needed by the operator's commands, such as `docker compose exec server npm run db:export -- -`.
COPY scripts ./scripts
USER node
EXPOSE 3000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
