import type { CombinedError } from '@urql/core';

/** The parts of an error of the API. */
interface Parts {
  /** The argument that it concerns, as the API that was asked spells it; null where it concerns none. */
  readonly field: string | null;
  /** What the argument was given; null where the error does not repeat it. */
  readonly value: string | null;
  /** What is wrong; it continues the name of the field and its value, if there are any. */
  readonly reason: string;
  /** What helps; null where nothing does. */
  readonly remedy: string | null;
  /** The operation of the API that the remedy names: nothing that people can call. */
  readonly operation: string | null;
  /** The id of the resource that stands in the way; null where none does. */
  readonly resourceId: string | null;
}

interface At extends Partial<Parts> {
  readonly status: number;
  readonly retryAfter?: number | null;
}

/** What the API said instead of an answer: its code, a sentence for people and, where it told, when to try again. */
export class Refusal extends Error implements Parts {
  /** A code of the API, or `AWAY` when nobody answered. */
  readonly code: string;
  readonly status: number;
  /** Seconds to wait; null where the API did not say. */
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

  /** The value, what is wrong with it and what helps, without the name of the field and without operations of the API. */
  get rest(): string {
    const what = this.value === null ? this.reason : `${JSON.stringify(this.value)} ${this.reason}`;
    return this.remedy === null || this.operation !== null ? what : `${what}; ${this.remedy}`;
  }

  /** The error under the label of its field. */
  labelled(label: string): string {
    return this.field === null ? this.rest : `${label} ${this.rest}`;
  }
}

const away = 'The server does not answer. Check the connection, or whether the server is running.';

/** The server could not be reached. */
export function serverAway(): Refusal {
  return new Refusal('AWAY', away, { status: 0 });
}

/** Reads a failed GraphQL answer. */
export function refusalOf(error: CombinedError): Refusal {
  const response: unknown = error.response;
  const headers = response instanceof Response ? response : null;
  const [first] = error.graphQLErrors;
  if (!first) return headers && headers.status > 0 ? unreadable(headers.status) : serverAway();
  const { code, status, resourceId } = first.extensions;
  return new Refusal(typeof code === 'string' ? code : 'INTERNAL_ERROR', withoutInput(first.message), {
    ...partsOf(first.extensions, withoutInput),
    status: typeof status === 'number' ? status : 500,
    resourceId: typeof resourceId === 'string' ? resourceId : null,
    retryAfter: headers && retryAfterOf(headers),
  });
}

/** @param named how people read a text with names */
function partsOf(said: Readonly<Record<string, unknown>>, named: (text: string) => string): Partial<Parts> {
  const textOf = (name: string) => (typeof said[name] === 'string' ? named(said[name]) : null);
  const reason = textOf('reason');
  return {
    ...(reason !== null && { reason }),
    field: textOf('field'),
    value: typeof said['value'] === 'string' ? said['value'] : null,
    remedy: textOf('remedy'),
    operation: textOf('operation'),
  };
}

/** Names fields as forms do: `name` for `input.name`. */
function withoutInput(text: string): string {
  return text.replaceAll(/\binput\.(?=[a-z])/g, '');
}

/** Reads a failed REST answer. */
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
  return new Refusal('INTERNAL_ERROR', `The server answered ${status} and did not say why.`, { status });
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
