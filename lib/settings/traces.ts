import { z } from 'zod';
import { share, url } from './kinds';
import { SHOP, tell } from './tell';

/** Traces; the names are OpenTelemetry's. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: tell(url('http:', 'https:').optional(), {
    says: 'Where the processes send traces, as OTLP over HTTP.',
    usedBy: SHOP,
    example: 'http://127.0.0.1:4318',
    unset: 'none are made',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: tell(
    z
      .string()
      .regex(/^[\w-]+=[^,]+(,[\w-]+=[^,]+)*$/, 'must be name=value pairs separated by commas')
      .optional(),
    { says: 'Headers to send along, `name=value` separated by commas.', usedBy: SHOP, unset: 'none' },
  ),
  OTEL_SERVICE_NAME: tell(z.string().max(200).default('seckill'), {
    says: 'The name of the shop there.',
    usedBy: SHOP,
  }),
  OTEL_TRACES_SAMPLER_ARG: tell(share.default(1), {
    says: 'The share of the purchases that is traced, 0 to 1.',
    usedBy: SHOP,
    example: '0.01',
  }),
};
