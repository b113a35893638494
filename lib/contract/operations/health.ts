import { z } from 'zod';
import { type Area, operation } from '../operation';
import { readiness } from '../shapes/health';

export const isAlive = operation({
  id: 'isAlive',
  method: 'GET',
  path: '/livez',
  who: 'nothing',
  says: 'Alive as long as the process answers; asks nobody else.',
  answers: { 200: { mediaType: 'text/plain', says: 'ok' } },
});

export const isReady = operation({
  id: 'isReady',
  method: 'GET',
  path: '/readyz',
  who: 'nothing',
  says: 'Ready to sell?',
  answers: { 200: readiness, 503: readiness },
});

export const readDocument = operation({
  id: 'readDocument',
  method: 'GET',
  path: '/api/openapi.json',
  who: 'nothing',
  says: 'This document.',
  answers: { 200: z.record(z.string(), z.unknown()) },
});

export const readRobots = operation({
  id: 'readRobots',
  method: 'GET',
  path: '/robots.txt',
  who: 'nothing',
  says: 'What search engines need not read, and where the sitemap is.',
  answers: { 200: { mediaType: 'text/plain', says: 'Rules by the Robots Exclusion Protocol (RFC 9309).' } },
});

export const readSitemap = operation({
  id: 'readSitemap',
  method: 'GET',
  path: '/sitemap.xml',
  who: 'nothing',
  says: 'The pages of sales and campaigns in every language; up to five minutes old.',
  answers: { 200: { mediaType: 'application/xml', says: 'A sitemap as sitemaps.org defines it.' } },
});

export const health: Area = {
  name: 'Health',
  says: 'For load balancers, for search engines, and for whoever reads this.',
  operations: [isAlive, isReady, readDocument, readRobots, readSitemap],
};
