/** Every error code a client can receive: `error.code` in REST, `extensions.code` in GraphQL. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'TWO_FACTOR_SETUP_REQUIRED'
  | 'NOT_FOUND'
  | 'BUDGET_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RANGE_NOT_SATISFIABLE'
  | 'ACCOUNT_LOCKED'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** The HTTP status of each code. */
export const statusOf = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  TWO_FACTOR_SETUP_REQUIRED: 403,
  NOT_FOUND: 404,
  BUDGET_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  ACCOUNT_LOCKED: 423,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
} as const satisfies Record<ErrorCode, number>;

/** A reference to an argument. */
export interface Argument {
  /** Path of the argument in snake_case: `settings.export_name`, `rules[2].key`. */
  readonly path: string;
  /** Its REST query parameter, if named differently. */
  readonly parameter?: string;
}

/** A reference to an enum value. */
export interface Choice {
  /** The argument that takes it, in snake_case. */
  readonly path: string;
  /** The value in REST spelling: `in_progress`, `-cost`. */
  readonly choice: string;
}

/** A reference to an operation. */
export interface Operation {
  /** Its REST route: `POST /accounts`. */
  readonly route: string;
}

/** A name that each surface spells differently, kept separate from the surrounding text. */
export type Name = Argument | Choice | Operation;

/** Part of a message. */
export type Part = string | Name;

/** Spells a name for one surface. */
export type Spell = (name: Name) => string;

/** Spells names as in REST and in the server's own texts. */
export const restName: Spell = (name) => {
  if ('route' in name) return name.route;
  return 'choice' in name ? name.choice : (name.parameter ?? name.path);
};

/** The value that was passed for an argument. */
export interface Given {
  /** The value as text; null if an error must not repeat it, such as a secret or a whole object. */
  readonly value: string | Choice | null;
  /** Appended to the reason: `not 500`, `not a list`. Null: the value is quoted after the field's name. */
  readonly not: string | null;
}

/** A structured error message. Plain data, so it can be stored or sent to another process. */
export interface Statement {
  /** The argument at fault; null if none. */
  readonly argument: Argument | null;
  readonly given: Given | null;
  /** What is wrong. Continues the argument's name: `must be 1 to 100`; a full sentence if there is no argument. */
  readonly reason: readonly Part[];
  /** How the client can fix it; empty if it cannot, or if the reason includes it. */
  readonly remedy: readonly Part[];
}

/** The argument at fault, the first value in a message template. */
export type Subject = Pick<Statement, 'argument' | 'given'>;

/** Maximum number of characters of a value repeated in an error. */
const maxShown = 80;

/** References the argument at fault.
 *  @param value a string is quoted after the name, a number is appended to the reason: `must be 1 to 100, not 500`.
 *  Omit secrets.
 *  @param parameter its REST query parameter, if named differently */
export function arg(path: string, value?: string | number | Choice | Given | null, parameter?: string): Subject {
  return { argument: { path, ...(parameter !== undefined && { parameter }) }, given: givenOf(value ?? null) };
}

function givenOf(value: string | number | Choice | Given | null): Given | null {
  if (typeof value === 'number') return not(String(value), String(value));
  if (typeof value === 'string') return { value: value.slice(0, maxShown), not: null };
  return value === null || 'not' in value ? value : { value, not: null };
}

/** References the argument at fault and its enum value. */
export function argChoice(path: string, value: string): Subject {
  return arg(path, { path, choice: value.slice(0, maxShown) });
}

/** A value appended to the reason: `must be a number, not "abc"`.
 *  @param shown how the message shows it, or only its kind
 *  @param value null if the error must not repeat it */
export function not(shown: string, value: string | null): Given {
  return { value: value && value.slice(0, maxShown), not: shown };
}

/** References the list item at fault. A query string passes a one-item list as its bare item, so REST then names the
 *  list.
 *  @param parameter the list's REST query parameter, if named differently */
export function argItem(
  path: string,
  item: { index: number; count: number; value?: string | undefined; parameter?: string },
): Subject {
  const { index, count, value, parameter = path } = item;
  return arg(`${path}[${index}]`, value, count === 1 ? parameter : `${parameter}[${index}]`);
}

/** References other arguments, such as those in a remedy. */
export function mention(...paths: readonly string[]): readonly Part[] {
  return paths.flatMap((path, index) => [...(index === 0 ? [] : [', ']), { path }]);
}

/** References enum values, separated by commas.
 *  @param path the argument that takes them */
export function choice(path: string, ...values: readonly string[]): readonly Part[] {
  return values.flatMap((value, index) => [...(index === 0 ? [] : [', ']), { path, choice: value }]);
}

/** References an operation by its REST route, for example in a remedy. */
export function operation(route: string): readonly Part[] {
  return [{ route }];
}

/** Separates the reason from the remedy in a template. */
export const fix = Symbol('fix');

/** Values allowed in a template after the first one. */
type Piece = string | number | null | readonly Part[];

/** Template tag for text with names, such as part of a message. */
export function phrase(texts: TemplateStringsArray, ...pieces: readonly Piece[]): readonly Part[] {
  return filled(texts.flatMap((text, index) => [text, ...partsOf(pieces[index])]));
}

function partsOf(piece: Piece | undefined): readonly Part[] {
  if (typeof piece === 'object' && piece !== null) return piece;
  return piece === undefined ? [] : [String(piece)];
}

function filled(parts: readonly Part[]): readonly Part[] {
  return parts.filter((part) => part !== '');
}

type Pieces = readonly [] | readonly [Piece | Subject | typeof fix, ...(Piece | typeof fix)[]];

/** Template tag for a statement: ``message`${arg('name', name)} is blank${fix}give a value` ``. Starts with the
 *  argument at fault, if any. */
export function message(texts: TemplateStringsArray, ...pieces: Pieces): Statement {
  let subject: Subject = { argument: null, given: null };
  const reason: Part[] = [];
  const remedy: Part[] = [];
  let target = reason;
  texts.forEach((text, index) => {
    // The composed message adds the space after the subject itself.
    const isAfterSubject = index === 1 && subject.argument !== null;
    target.push(isAfterSubject ? text.trimStart() : text);
    const piece = pieces[index];
    if (typeof piece === 'symbol') target = remedy;
    else if (typeof piece === 'object' && piece !== null && 'argument' in piece) subject = piece;
    else target.push(...partsOf(piece));
  });
  return { ...subject, reason: filled(reason), remedy: filled(remedy) };
}

/** A statement in the spelling of one surface. */
export interface Spelled {
  readonly field: string | null;
  readonly value: string | null;
  readonly reason: string;
  readonly remedy: string | null;
  /** The operation named in the remedy; null if none. */
  readonly operation: string | null;
  /** The full message: `<field> "<value>" <reason>; <remedy>`. */
  readonly message: string;
}

/** Spells a statement and composes its message. */
export function spelled({ argument, given, reason, remedy }: Statement, spell: Spell): Spelled {
  const textOf = (parts: readonly Part[]) =>
    parts.map((part) => (typeof part === 'string' ? part : spell(part))).join('');
  const field = argument && spell(argument);
  const value = typeof given?.value === 'object' ? given.value && spell(given.value) : (given?.value ?? null);
  const quoted = given?.not === null && value !== null ? JSON.stringify(value) : null;
  const why = textOf(reason);
  const what = [field, quoted, why].filter((text) => text !== null).join(' ');
  const how = remedy.length === 0 ? null : textOf(remedy);
  const fullMessage = `${what}${typeof given?.not === 'string' ? `, not ${given.not}` : ''}${how === null ? '' : `; ${how}`}`;
  const step = remedy.find((part) => typeof part === 'object' && 'route' in part);
  return { field, value, reason: why, remedy: how, operation: step ? spell(step) : null, message: fullMessage };
}

interface ErrorOptions {
  /** Additional response headers, such as `Retry-After` or `Allow`. */
  headers?: Readonly<Record<string, string>>;
  /** Id of the conflicting resource, such as the account that is already connected. */
  resourceId?: string;
  cause?: unknown;
}

/** An error intended for the client: it names the argument, the value and the remedy, and contains no secrets.
 *  Thrown by domain code, independent of the protocol. */
export class AppError extends Error implements Spelled {
  readonly code: ErrorCode;
  readonly statement: Statement;
  /** Path of the argument at fault, in snake_case; null if none. */
  readonly field: string | null;
  /** The argument's value, truncated to 80 characters; null if it must not be repeated or is irrelevant. */
  readonly value: string | null;
  readonly reason: string;
  readonly remedy: string | null;
  readonly operation: string | null;
  readonly resourceId: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, content: string | Statement, options: ErrorOptions = {}) {
    const statement =
      typeof content === 'string' ? { argument: null, given: null, reason: [content], remedy: [] } : content;
    const { message: text, ...data } = spelled(statement, restName);
    super(text, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.statement = statement;
    this.field = data.field;
    this.value = data.value;
    this.reason = data.reason;
    this.remedy = data.remedy;
    this.operation = data.operation;
    this.resourceId = options.resourceId ?? null;
    this.headers = options.headers ?? {};
  }

  /** HTTP status of the code. */
  get status(): number {
    return statusOf[this.code];
  }

  /** The same error with these arguments nested in another: `tag_key` becomes `filters.tag_key`. */
  within(parent: string, names: readonly string[]): AppError {
    const inside = <N extends Argument | Choice>(name: N): N => {
      if (!names.includes(name.path.split(/[.[]/, 1)[0] ?? '')) return name;
      const elsewhere = 'parameter' in name && { parameter: `${parent}.${name.parameter}` };
      return { ...name, path: `${parent}.${name.path}`, ...elsewhere };
    };
    const all = (parts: readonly Part[]) =>
      parts.map((part) => (typeof part === 'string' || 'route' in part ? part : inside(part)));
    const { argument, given, reason, remedy } = this.statement;
    const value = typeof given?.value === 'object' ? given.value && inside(given.value) : (given?.value ?? null);
    const moved = { argument: argument && inside(argument), reason: all(reason), remedy: all(remedy) };
    const options = { headers: this.headers, cause: this };
    return new AppError(this.code, { ...moved, given: given && { ...given, value } }, options);
  }
}

function refusalOf(code: ErrorCode): (texts: TemplateStringsArray, ...pieces: Pieces) => AppError {
  return (texts, ...pieces) => new AppError(code, message(texts, ...pieces));
}

/** Template tag for invalid client input: ``invalid`${arg('per_page', perPage)} must be 1 to 100` ``. */
export const invalid = refusalOf('VALIDATION_ERROR');

/** Template tag for missing permissions. */
export const forbidden = refusalOf('FORBIDDEN');

/** Template tag for conflicts with the current state. */
export const conflict = refusalOf('CONFLICT');

/** Template tag for unauthenticated requests. */
export const unauthorized = refusalOf('UNAUTHORIZED');

/** Resources that do not exist or are not visible to the caller.
 *  @param plural such as `budgets`, for more than one id */
export function noneFound(kind: string, plural: string, [first = '', ...others]: readonly string[]): AppError {
  if (others.length === 0) return notFound(kind, first);
  const ids = [first, ...others].map((id) => `"${id.slice(0, maxShown)}"`).join(', ');
  return new AppError('NOT_FOUND', `${plural.charAt(0).toUpperCase()}${plural.slice(1)} ${ids} not found`);
}

/** A resource that does not exist or is not visible to the caller; the two are indistinguishable. */
export function notFound(kind: string, id: string): AppError {
  // Budgets have their own error code in the API.
  return new AppError(
    kind === 'Budget' ? 'BUDGET_NOT_FOUND' : 'NOT_FOUND',
    `${kind} "${id.slice(0, maxShown)}" not found`,
  );
}
