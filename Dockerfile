# Build: everything is compiled here; the second stage carries what a running service needs, and no more.
FROM node:24.18.1-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts && npm rebuild better-sqlite3
COPY . .
# Whether there is a database server, a bucket or a mail server is up to the operator, so the packages for all three stay. What
# serve loads is stored for the packages that remain.
RUN npm run build && mkdir -p generated/versions && npm pkg delete devDependencies peerDependencies && npm pkg set 'dependencies[pg]=*' 'dependencies[@aws-sdk/client-s3]=*' 'dependencies[nodemailer]=*' && npm prune --omit=dev --ignore-scripts && node dist/runtime/server/code-cache/write.js

FROM node:24.18.1-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATABASE=/data/punchboard.db FILES=/data/files
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/generated/schema.json /app/generated/openapi.json ./generated/
COPY --from=build /app/generated/versions ./generated/versions
RUN ln -s /app/dist/generator/bin.js /usr/local/bin/punchboard && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["punchboard", "serve"]
