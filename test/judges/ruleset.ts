import type { RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';

/** Rules that are off, each for the reason above it. */
const off = {
  // Answers hold what bills and clouds say, of any length and size. Requests are bounded: see openapi/bounds.test.ts.
  'owasp:api4:2023-array-limit': 'off',
  'owasp:api4:2023-integer-limit-legacy': 'off',
  'owasp:api4:2023-integer-format': 'off',
  'owasp:api4:2023-string-limit': 'off',
  'owasp:api4:2023-string-restricted': 'off',
  // Tags, evidence and a passkey's answer have keys of the client or the cloud, as many as there are.
  'owasp:api3:2023-no-additionalProperties': 'off',
  'owasp:api3:2023-constrained-additionalProperties': 'off',
  // Other origins are off by default; the operator names those that are allowed.
  'owasp:api8:2023-define-cors-origin': 'off',
  // Who runs the server knows its audience and environment; the document does not.
  'owasp:api9:2023-inventory-access': 'off',
  'owasp:api9:2023-inventory-environment': 'off',
} as const;

/** Spectral's OpenAPI and OWASP rules, but for those above. The packages' types do not fit each other. */
export const ruleset = { extends: [rulesets.oas, owasp], rules: off } as unknown as RulesetDefinition;

/** Findings that are accepted, by where they are. */
export const accepted: readonly (readonly [rule: RegExp, at: RegExp, reason: string])[] = [
  [
    /^owasp:api2:2023-(write|read)-restricted$/,
    /^paths\.\/(auth\/(forgot-password|login|register|reset-password|verify-2fa|webauthn\/authenticate)\.post|docs\.get)\./,
    'It is what one calls without a token: to get one, to reset a password, or to read the document.',
  ],
  [
    /^owasp:api8:2023-define-error-responses-401$/,
    /^paths\.\/(auth\/(forgot-password|register|reset-password)\.post|docs\.get)\./,
    'It asks for no token, so it refuses none.',
  ],
  [
    /^owasp:api2:2023-no-credentials-in-url$/,
    /^paths\.\/reports\/\{id\}\/download\.get\./,
    'A link in an email has no header: its token is signed for one report and ends after 7 days.',
  ],
];
