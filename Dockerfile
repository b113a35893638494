# syntax=docker/dockerfile:1
# One image, any role: docker run seckill web | worker | executor | migrate | admin | verify | reconcile.
# Any image with Node >= 20.19 on glibc will do as the base; deploy/README.md says how to run what this makes.
ARG BASE=node:22-slim

FROM ${BASE} AS build
WORKDIR /app
# Packages first: they change less often than the code.
COPY package.json package-lock.json ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN sh deploy/docker/build-app.sh

FROM ${BASE}
WORKDIR /app
ENV NODE_ENV=production MAIL_DIR=/var/lib/seckill/mail MEDIA_DIR=/var/lib/seckill/media
# Uploaded pictures are files, mails too where no SMTP_URL is set; nothing else is written outside /tmp, so the root file system may be read-only.
RUN mkdir -p /var/lib/seckill/mail /var/lib/seckill/media && chown -R 1000:1000 /var/lib/seckill
COPY --from=build /app /app
USER 1000:1000
EXPOSE 3000 8288 9464
# Whether the role runs, not whether it can sell: an outage of a store must not end processes that wait for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/docker/check-health.mjs"]
ENTRYPOINT ["/bin/sh", "/app/deploy/run-role.sh"]
CMD ["web"]
