import { z } from 'zod';
import { area } from '../operation';
import { readiness } from '../shapes/health';

export const health = area('Health', 'For load balancers and for whoever reads this.');
const { operation } = health;

export const isAlive = operation('GET /livez', {
  who: 'nothing',
  says: 'Alive as long as the process answers; asks nobody else.',
  answers: { 200: { mediaType: 'text/plain', says: 'ok' } },
});

export const isReady = operation('GET /readyz', {
  who: 'nothing',
  says: 'Ready to sell?',
  answers: { 200: readiness, 503: readiness },
});

export const readDocument = operation('GET /api/openapi.json', {
  who: 'nothing',
  says: 'This document.',
  answers: { 200: z.record(z.string(), z.unknown()) },
});
