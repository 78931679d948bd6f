import type { CombinedError } from '@urql/core';

/** Parts of an API error. */
interface Parts {
  /** Argument at fault, in the spelling of the called API; null if none. */
  readonly field: string | null;
  /** Rejected value; null if the error does not repeat it. */
  readonly value: string | null;
  /** The problem, worded to follow the field name and its value, if any. */
  readonly reason: string;
  /** How to fix it; null if there is no remedy. */
  readonly remedy: string | null;
  /** API operation that the remedy names; users cannot call it. */
  readonly operation: string | null;
  /** ID of the conflicting resource; null if none. */
  readonly resourceId: string | null;
}

interface At extends Partial<Parts> {
  readonly status: number;
  readonly retryAfter?: number | null;
}

/** Fields with what a form has read, which the API compares with the record. */
const preconditions: ReadonlySet<string> = new Set([
  'ifUnmodifiedSince',
  'ifNote',
  'ifStatus',
  'ifRole',
  'ifAccountAccess',
  'ifTypedAmount',
  'ifRate',
]);

/** API error: its code, a message for people and, if given, when to retry. */
export class Refusal extends Error implements Parts {
  /** API error code, or `AWAY` if the server did not respond. */
  readonly code: string;
  readonly status: number;
  /** Seconds to wait; null if the API gave none. */
  readonly retryAfter: number | null;
  readonly field: string | null;
  readonly value: string | null;
  readonly reason: string;
  readonly remedy: string | null;
  readonly operation: string | null;
  readonly resourceId: string | null;

  constructor(code: string, message: string, at: At) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.status = at.status;
    this.retryAfter = at.retryAfter ?? null;
    this.field = at.field ?? null;
    this.value = at.value ?? null;
    this.reason = at.reason ?? message;
    this.remedy = at.remedy ?? null;
    this.operation = at.operation ?? null;
    this.resourceId = at.resourceId ?? null;
  }

  /** Whether the record has changed since it was read. */
  get isStale(): boolean {
    return this.code === 'CONFLICT' && preconditions.has(this.field?.replaceAll(/^.*\.|\[\d+\]$/g, '') ?? '');
  }

  /** Value, reason and remedy, without the field name and API operations. */
  get rest(): string {
    const what = this.value === null ? this.reason : `${JSON.stringify(this.value)} ${this.reason}`;
    return this.remedy === null || this.operation !== null ? what : `${what}; ${this.remedy}`;
  }

  /** Message for display under the field's label. */
  labelled(label: string): string {
    return this.field === null ? this.rest : `${label} ${this.rest}`;
  }
}

/** API messages name the id of the record, which users do not know. */
const gone = 'This was deleted, or you do not have access to it.';

const away = 'The server does not respond. Check your connection and that the server is running.';

/** Creates the error for an unreachable server. */
export function serverAway(): Refusal {
  return new Refusal('AWAY', away, { status: 0 });
}

/** Converts a failed GraphQL change: without an answer, it is unknown whether the server has made it. */
export function refusalOfChange(error: CombinedError): Refusal {
  const refusal = refusalOf(error);
  if (refusal.code !== 'AWAY') return refusal;
  return new Refusal('AWAY', `${away} It may have saved the change: look before you try again.`, {
    status: refusal.status,
  });
}

/** Converts a failed GraphQL result. */
export function refusalOf(error: CombinedError): Refusal {
  const response: unknown = error.response;
  const headers = response instanceof Response ? response : null;
  const [first] = error.graphQLErrors;
  if (!first) return headers && headers.status > 0 ? unreadable(headers.status) : serverAway();
  const { code, status, resourceId } = first.extensions;
  const message = status === 404 ? gone : withoutInput(first.message);
  return new Refusal(typeof code === 'string' ? code : 'INTERNAL_ERROR', message, {
    ...partsOf(first.extensions, withoutInput),
    status: typeof status === 'number' ? status : 500,
    resourceId: typeof resourceId === 'string' ? resourceId : null,
    retryAfter: headers && retryAfterOf(headers),
  });
}

/** @param named rewrites field names in a text for people */
function partsOf(source: Readonly<Record<string, unknown>>, named: (text: string) => string): Partial<Parts> {
  const textOf = (name: string) => (typeof source[name] === 'string' ? named(source[name]) : null);
  const reason = textOf('reason');
  return {
    ...(reason !== null && { reason }),
    field: textOf('field'),
    value: typeof source['value'] === 'string' ? source['value'] : null,
    remedy: textOf('remedy'),
    operation: textOf('operation'),
  };
}

/** Shortens field names as forms show them: `input.name` becomes `name`. */
function withoutInput(text: string): string {
  return text.replaceAll(/\binput\.(?=[a-z])/g, '');
}

/** Converts a failed REST response. */
export async function refusalOfResponse(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => null);
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : null;
  if (!error) return unreadable(response.status);
  return new Refusal(String(error['code']), String(error['message']), {
    ...partsOf(error, (text) => text),
    status: response.status,
    retryAfter: retryAfterOf(response),
    resourceId: typeof error['resource_id'] === 'string' ? error['resource_id'] : null,
  });
}

function unreadable(status: number): Refusal {
  const gateway = status === 502 || status === 503 || status === 504;
  if (gateway) return new Refusal('AWAY', away, { status });
  return new Refusal('INTERNAL_ERROR', `The server returned status ${status} without a reason.`, { status });
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
