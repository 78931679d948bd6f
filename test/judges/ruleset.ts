import type { RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';
import { hasEnd } from '../../src/graph/bounded.ts';

/** All of Spectral's OpenAPI and OWASP rules. Cast, because the types of the packages are incompatible. */
export const ruleset = { extends: [rulesets.oas, owasp] } as unknown as RulesetDefinition;

/** An accepted finding. */
export interface Exception {
  readonly rule: RegExp;
  /** The path in the document, with parameters by name. */
  readonly at: RegExp;
  /** Limits the exception to some schemas at the path; all by default. */
  readonly of?: (schema: Readonly<Record<string, unknown>>) => boolean;
  readonly reason: string;
}

/** A location in a response, or in a schema used by responses only: those of requests end with `Input` or `Request`. */
const inAnswers = String.raw`^(paths\..*\.responses\.|components\.(headers|responses)\.|components\.schemas\.(?!\w+(Input|Request)\b))`;
const answers = new RegExp(inAnswers);

/** The values of a free-form object. */
const below = String.raw`(\.additionalProperties(\.anyOf\.\d(\.additionalProperties)?)?)?$`;

/** All accepted findings. The test fails for an exception that is no longer needed. */
export const accepted: readonly Exception[] = [
  {
    rule: /^owasp:api4:2023-(array|string)-limit$/,
    at: answers,
    reason: 'Responses contain texts from bills and clouds, of any length. Pages have a limit; requests are bounded.',
  },
  {
    rule: /^owasp:api4:2023-string-restricted$/,
    at: answers,
    reason: 'Names and messages from clouds and people have no format. Ids, days, timestamps and enums state theirs.',
  },
  {
    rule: /^owasp:api4:2023-string-limit$/,
    at: /^(paths\..*\.(parameters|requestBody)\.|components\.schemas\.\w+(Input|Request)\.)/,
    of: (schema) => ['date', 'date-time', 'uuid'].includes(String(schema['format'])) || hasEnd(schema),
    reason: 'The format or the pattern limits the length.',
  },
  {
    rule: /^owasp:api4:2023-string-restricted$/,
    at: /\.(allowed_values\.items|(if_)?note|owner_tag_key|reason|status_reason|tag_value(\.schema)?(\.anyOf\.\d)?(\.items)?)$/,
    reason: 'Keys and values of tags, notes and reasons are free text, in any script; a value may be empty.',
  },
  {
    rule: /^owasp:api4:2023-string-restricted$/,
    at: /\.(challenge_token|invite_token|refresh_token|token(\.schema)?)$/,
    reason: 'Tokens are opaque: the server compares hashes or verifies signatures, and their form can change.',
  },
  {
    rule: /^owasp:api4:2023-string-(limit|restricted)$/,
    at: /^paths\.\/accounts\/\{id\}\/files\.post\.(requestBody\.content|parameters\.name)\./,
    reason: 'A file: its bytes are limited by UPLOAD_MAX_MIB, and its name is free text.',
  },
  {
    rule: /^owasp:api4:2023-string-restricted$/,
    at: /\.(billing_scope|endpoint|path|prefix|time_zone)$/,
    reason:
      'The provider’s or the runtime’s own parser decides: paths, addresses, and IANA names, of which new ones appear.',
  },
  {
    rule: /^owasp:api4:2023-string-restricted$/,
    at: /(\.(If-Range|Range|If-None-Match)\.schema|^components\.parameters\.IfNoneMatch\.schema)$/,
    reason: 'Servers ignore a malformed range or entity tag instead of rejecting it (RFC 9110, 13.1.2 and 14.2).',
  },
  {
    rule: /^owasp:api3:2023-(no|constrained)-additionalProperties$/,
    at: new RegExp(
      String.raw`${inAnswers}.*\.(details|evidence|keys|labels|metadata|options|policy|request|tags|trust_policy)${below}`,
    ),
    reason: 'Objects with any number of keys from the client or the provider, such as tags.',
  },
  {
    rule: /^owasp:api3:2023-no-additionalProperties$/,
    at: /\.(labels|query)\.additionalProperties$/,
    reason:
      'Labels of unit metrics and parameters of an address have names that the client chooses. Their number is bounded.',
  },
  {
    rule: /^owasp:api4:2023-string-restricted$/,
    at: /(\/dashboards\/default\.patch\.|UpdateDefaultDashboardRequest\.).*\.(organization|own)$/,
    reason: 'Either a word or a UUID: the rule does not look into `anyOf`, which states both.',
  },
  {
    rule: /^owasp:api4:2023-string-restricted$/,
    at: /\.requestBody\.content\.text\/csv\.schema$/,
    reason: 'CSV is parsed strictly, line by line.',
  },
  {
    rule: /^owasp:api3:2023-(no|constrained)-additionalProperties$/,
    at: new RegExp(`^components.schemas.JsonValue${String.raw`\.anyOf\.4(\.additionalProperties)?$`}`),
    reason: 'Any JSON value, for the objects above and below.',
  },
  {
    rule: /^owasp:api3:2023-(no|constrained)-additionalProperties$/,
    at: new RegExp(String.raw`^paths\./docs\.get\.responses\.200\.content\.application/json\.schema${below}`),
    reason: 'The document itself; OpenAPI has a schema for it.',
  },
  {
    rule: /^owasp:api3:2023-no-additionalProperties$/,
    at: /\.(response|service_account_json)\.additionalProperties$/,
    reason: 'Objects from browsers and Google, sent unchanged: a passkey’s response, a key file. At most 100 keys.',
  },
  {
    rule: /^owasp:(api3:2023-(no|constrained)-additionalProperties|api4:2023-(array-limit|string-limit|string-restricted))$/,
    at: /\.(response|service_account_json)\.additionalProperties\.anyOf\.\d(\.additionalProperties)?$/,
    reason: 'Values inside those two. Each is parsed strictly, and the body is limited to 1 MiB.',
  },
  {
    rule: /^owasp:api2:2023-(write|read)-restricted$/,
    at: /^paths\.\/(auth\/(forgot-password|login|register|reset-password|verify-2fa|webauthn\/authenticate)\.post|docs\.get)\./,
    reason: 'Called without a token: to get one, to reset a password, or to read the document.',
  },
  {
    rule: /^owasp:api8:2023-define-error-responses-401$/,
    at: /^paths\.\/(auth\/(forgot-password|register|reset-password)\.post|docs\.get)\./,
    reason: 'Takes no token, so it rejects none.',
  },
  {
    rule: /^owasp:api2:2023-no-credentials-in-url$/,
    at: /^paths\.\/reports\/\{id\}\/download\.get\./,
    reason: 'A link in an email has no header: its token is signed for one report and expires after 7 days.',
  },
];
