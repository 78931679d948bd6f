import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { arg, fix, invalid } from '../../kit/errors.ts';

/** Far above what an authenticator sends, certificates included. */
const maxCharacters = 65_536;

// Each message goes on from the name of the field. They repeat no value: a response signs its user in.
const anObject = 'must be a JSON object';
const aBase64url = `must be a base64url text of 1 to ${maxCharacters} characters`;
const aTransport = 'must be a text of at most 32 characters';

const base64url = z
  .string(aBase64url)
  .max(maxCharacters, aBase64url)
  .regex(/^[\w-]+={0,2}$/, aBase64url);

const credential = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key', 'must be "public-key"'),
  // Not looked at, but the verification takes it as part of the form.
  clientExtensionResults: z.record(z.string(), z.unknown(), anObject).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform'], 'must be "platform" or "cross-platform"').nullish(),
});

const registration = credential.extend({
  response: z.object(
    {
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z
        .array(z.string(aTransport).max(32, aTransport), 'must be a list')
        .max(16, 'must have at most 16 items')
        .optional(),
    },
    anObject,
  ),
});

const authentication = credential.extend({
  response: z.object(
    {
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: z.union([base64url, z.literal('')], aBase64url).nullish(),
    },
    anObject,
  ),
});

const clientData = z.object({ challenge: z.string().min(1), crossOrigin: z.boolean().optional() });

/** An answer of an authenticator, with the challenge that it says it answers. */
export interface Answered<Response> {
  readonly response: Response;
  /** In base64url. */
  readonly challenge: string;
}

/** Reads what `navigator.credentials.create` gave, as its `toJSON` writes it.
 *  @throws {AppError} VALIDATION_ERROR naming the part of `response` that does not fit */
export function parseRegistration(value: unknown): Answered<RegistrationResponseJSON> {
  const { authenticatorAttachment: _attachment, ...response } = parse(registration, value);
  return { response, challenge: challengeIn(response.response.clientDataJSON) };
}

/** Reads what `navigator.credentials.get` gave, as its `toJSON` writes it.
 *  @throws {AppError} VALIDATION_ERROR naming the part of `response` that does not fit */
export function parseAuthentication(value: unknown): Answered<AuthenticationResponseJSON> {
  const { authenticatorAttachment: _attachment, response, ...rest } = parse(authentication, value);
  const { userHandle, ...needed } = response;
  const given = userHandle ? { ...needed, userHandle } : needed;
  return { response: { ...rest, response: given }, challenge: challengeIn(response.clientDataJSON) };
}

function parse<Form extends z.ZodType>(form: Form, value: unknown): z.infer<Form> {
  const result = form.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const steps = (issue?.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  throw invalid`${arg(`response${steps.join('')}`)} ${issue?.message ?? anObject}${fix}send what toJSON() of the browser’s credential returns`;
}

function challengeIn(clientDataJSON: string): string {
  const result = clientData.safeParse(jsonIn(clientDataJSON));
  if (!result.success)
    throw invalid`${arg('response.response.clientDataJSON')} is not the client data of a passkey${fix}send it as the browser returned it`;
  // A page that frames ours, or is framed by it, has no business with our passkeys.
  if (result.data.crossOrigin)
    throw invalid`${arg('response')} comes from a frame of another origin${fix}open the page directly`;
  return result.data.challenge;
}

function jsonIn(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
