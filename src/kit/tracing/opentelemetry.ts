import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { version } from '../package.ts';
import { useTracer, type OpenSpan, type SpanPlace, type TraceFields } from './spans.ts';

/** Time limit of the last export, in milliseconds. Container runtimes kill after 10 seconds, of which the drain takes 7. */
const FLUSH_MS = 2_000;

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER } as const;

/** Traces the process with the OpenTelemetry SDK, which reads its own `OTEL_…` variables.
 *  @returns a function that sends the remaining spans and ends tracing */
export function openTelemetry(): () => Promise<void> {
  const own = resourceFromAttributes({ 'service.name': 'costkeep', 'service.version': version });
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence over our own name.
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
  const processor = new BatchSpanProcessor(new OTLPTraceExporter());
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  provider.register();
  const tracer = provider.getTracer('costkeep', version);
  useTracer({
    begin(name, place, attributes) {
      const parent = parentOf(place);
      if (parent === null) return null;
      const kind = place === 'inner' ? SpanKind.INTERNAL : kinds[place.entry];
      return opened(tracer.startSpan(name, { kind, attributes }, parent));
    },
    logFields: () => fieldsOf(trace.getActiveSpan()),
  });
  return async () => {
    useTracer(null);
    const limit = new Promise<void>((resolve) => void setTimeout(resolve, FLUSH_MS).unref());
    await Promise.race([provider.shutdown().catch(() => {}), limit]);
  };
}

/** The context of a span's parent; null for an inner span without one. */
function parentOf(place: SpanPlace) {
  if (place !== 'inner') return propagation.extract(ROOT_CONTEXT, place.headers ?? {});
  return trace.getActiveSpan() === undefined ? null : context.active();
}

function opened(span: Span): OpenSpan {
  const own = trace.setSpan(context.active(), span);
  return {
    run: (work) => context.with(own, work),
    end({ error, name, fields = {} } = {}) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(fields);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: kindOf(error) });
      span.end();
    },
    logFields: fieldsOf(span),
  };
}

/** Messages of errors can repeat values, so only the kind is sent. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}

function fieldsOf(span: Span | undefined): TraceFields {
  const ids = span?.spanContext();
  return ids && isSpanContextValid(ids) ? { trace_id: ids.traceId, span_id: ids.spanId } : {};
}
