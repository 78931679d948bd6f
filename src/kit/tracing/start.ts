import type { Environment } from '../config/config.ts';

/** Starts tracing if an OTLP endpoint is set. OpenTelemetry is not loaded otherwise: it would take startup time and
 *  memory.
 *  @returns a function that sends the remaining spans and ends tracing */
export async function startTracing(env: Environment): Promise<() => Promise<void>> {
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']?.trim() || env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim();
  const isOff = env['OTEL_SDK_DISABLED']?.trim() === 'true' || env['OTEL_TRACES_EXPORTER']?.trim() === 'none';
  if (!endpoint || isOff) return async () => {};
  const { openTelemetry } = await import('./opentelemetry.ts');
  return openTelemetry();
}
