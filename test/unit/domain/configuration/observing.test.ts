// Settings of how processes are watched.
import { expect, it } from 'vitest';
import { ConfigSchema, readConfig, secretVariables } from '#domain/config.ts';
import { observingVariables } from '#domain/configuration/observing.ts';

it('are settings of the service, off by default, and leave a port for the worker', () => {
  const config = readConfig({});
  expect(Object.keys(observingVariables).filter((name) => !Object.hasOwn(ConfigSchema.shape, name))).toEqual([]);
  expect([config.MUNIMENT_METRICS_PORT, config.MUNIMENT_METRICS_HOST]).toEqual([0, '127.0.0.1']);
  expect(readConfig({ MUNIMENT_METRICS_PORT: '65534' }).MUNIMENT_METRICS_PORT).toBe(65_534);
  expect(() => readConfig({ MUNIMENT_METRICS_PORT: '65535' })).toThrow('MUNIMENT_METRICS_PORT');
});

it('trace nothing by default, and take addresses, pairs and parts of one', () => {
  expect(readConfig({})).toMatchObject({ OTEL_SERVICE_NAME: 'muniment', OTEL_TRACES_SAMPLER_ARG: 1 });
  expect(readConfig({}).OTEL_EXPORTER_OTLP_ENDPOINT).toBeUndefined();
  expect(readConfig({}).MUNIMENT_SLOW_STATEMENT_MS).toBe(0);
  expect(secretVariables).toContain('OTEL_EXPORTER_OTLP_HEADERS');
  const right = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic YTpiCg==, x-tenant=a',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  };
  expect(readConfig(right)).toMatchObject({ ...right, OTEL_TRACES_SAMPLER_ARG: 0.25 });
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret@collector'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no pair'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a,b'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['MUNIMENT_SLOW_STATEMENT_MS', '-1'],
  ] as const)
    expect(() => readConfig({ [name]: value })).toThrow(name);
});
