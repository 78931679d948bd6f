import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { worldOfFile } from '../../support/world.ts';
import { isJson, type Json } from './arbitrary.ts';
import { addressOf, operationsOf, requestsOf } from './requests.ts';

const at = worldOfFile();
const document: Json = { ...restApiOf(buildSchema()).document };

/** Requirements that no schema can express, because they depend on the organization or on another field, with their errors. */
const stateful: readonly (readonly [reason: string, message: RegExp, operationId?: string])[] = [
  ['an id of the organization', /is not (an account|a member|a unit metric|a channel|one) of/],
  ['a token that was sent by mail', /^(token is invalid or expired|invite_token is unknown): /],
  ['a code or an answer to a challenge', /^(code is not the app’s|response does not match|response\.)/],
  [
    'days in order, not too far apart, not in the future',
    /^((start_date|end_date) .*(is before|is in the future|days apart|outside the calendar)|compare "\w+" is not possible for )/,
  ],
  ['a file name with the ending of its format', /^name .*(must (end with|not )|contains an? )/s, 'uploadAccountFile'],
  ['months in order', /^end_month .* is before start_month/],
  ['an instant in the future', /^(expires_at|snoozed_until) ".+" must be (in the future; |later than now )/],
  ['no more records than an organization can have', /can have at most/],
  ['a currency that exists', /"[A-Z]{3}" must be an ISO 4217 code such as "USD"$/],
  ['a time zone that exists', /^time_zone .* is not an IANA time zone/],
  ['a password that is not easily guessed', /is one of the most common passwords|is hardly more than a repeated/],
  [
    'a field that another one needs',
    /^((tag_value|untagged) ".*" requires tag_key; |sort_by ".+" requires a comparison; |name is required with|organization_name is |(filters\.)?tag_key is required)/s,
  ],
  ['a filter that the type of report has', /is not a filter of this report|^filters\.status(\[\d+\])? must be one of/],
  ['a field that another one excludes', / cannot be combined|for a (daily|weekly|monthly) schedule/],
  ['items that differ in what they name', / repeats | already has a rule: | must differ from rates/],
  ['a rule that expects something', /^rules\[\d+\] has no condition; set /],
  [
    'a virtual tag of the organization',
    /is not an enabled virtual tag of the organization|^filters\.tag_key .* is not a virtual tag; /,
  ],
  [
    'recipients of values, each named once, of a showback',
    /^value_recipients(\[\d+\]\.value)? .*(must be empty unless|is given twice)/,
  ],
  ['a virtual tag whose costs are shared', /^include_shared .* requires one virtual tag/],
  [
    'a rule of a virtual tag with what its other fields need',
    /^rules\[\d+\]\S* .*(must (have either|contain at least one|be empty)|is required with|differs from)/s,
  ],
  [
    'splits that agree with each other and with the rules',
    /^splits\[\d+\]\S* .*(must (be (empty|absent)|add up to 100)|is required with the method|is already split|form a cycle|is not a value of any rule|is given twice)/s,
  ],
  [
    'a metric that the kind of rule takes',
    /^(unit_metric_key|window_days) .*(requires metric|is required for this metric)/,
  ],
  [
    'widgets that fit into the grid, with a view or a query',
    /^widgets\[\d+\]\S* .*(must have either|must be at most \d+ for a widget|is not a saved view)/s,
  ],
  ['a dashboard that the caller sees', /^(own|organization) .* is not a (shared )?dashboard that you can see/],
  ['a change of something', /^Nothing to change/],
  ['one of the two names of an argument', /^reason is a deprecated alias of status_reason/],
  ['fewer days than lie between the two ranges', /^compare .* overlaps/],
  [
    'parts of a setup, as the provider names them',
    /^(aws_|role_|bucket|prefix|export_|region|kms_|tenant_|client_|subscription_|billing_|resource_group|storage_|container|dataset|table|location|scopes|service_account)/,
    'accountSetup',
  ],
];

/** Excluded: it accesses the cloud, and the schema does not express each provider's requirements; see their tests. */
const asksTheCloud = 'connectAccount';
const asked = operationsOf(document).filter(
  ({ operation: { operationId, parameters = [], requestBody } }) =>
    operationId !== asksTheCloud && (requestBody !== undefined || parameters.some(({ name }) => name)),
);

describe('the shape of a request generated from the document', () => {
  it.each(asked.map((one) => [one.operation.operationId, one] as const))('is accepted: %s', async (_name, one) => {
    const { method, path, operation } = one;
    const { token } = await at().register({ email: `${operation.operationId.toLowerCase()}@example.com` });
    const property = fc.asyncProperty(requestsOf(document, operation), async (request) => {
      const address = addressOf(path, request);
      // Longer URLs exceed Node's limit of 16 KiB for all headers.
      fc.pre(address.length < 15_000);
      const options = { token, ...(request.body === undefined ? {} : { body: request.body }) };
      const answer = await at().rest<unknown>(method.toUpperCase(), address, options);
      const error = isJson(answer.body) ? answer.body['error'] : undefined;
      const message = isJson(error) ? String(error['message']) : '';
      expect([413, 414, 415, 500]).not.toContain(answer.status);
      if (
        answer.status === 400 &&
        !stateful.some(
          ([, known, only]) => known.test(message) && (only ?? operation.operationId) === operation.operationId,
        )
      )
        throw new Error(`${method} ${address} was refused: ${message}`);
    });
    await fc.assert(property, { numRuns: 12, seed: 20_261_123 });
  });
});
