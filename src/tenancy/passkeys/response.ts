import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { arg, invalid } from '../../kit/errors.ts';

/** Far above what an authenticator sends, certificates included. */
const maxCharacters = 65_536;

const base64url = z
  .string()
  .min(1)
  .max(maxCharacters)
  .regex(/^[\w-]+={0,2}$/, 'must be base64url');

const credential = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  // Not looked at, but the verification takes it as part of the form.
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
});

const registration = credential.extend({
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
});

const authentication = credential.extend({
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().or(z.literal('')),
  }),
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

/** What a client can do about a response that is none. */
const remedy = 'send what the browser’s credential writes with toJSON';

function parse<Form extends z.ZodType>(form: Form, value: unknown): z.infer<Form> {
  const result = form.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const at = ['response', ...(issue?.path ?? [])].join('.');
  throw invalid`${arg(at)} is not part of a valid authenticator response (${issue?.message ?? 'its fields do not match'}): ${remedy}`;
}

function challengeIn(clientDataJSON: string): string {
  const result = clientData.safeParse(jsonIn(clientDataJSON));
  if (!result.success)
    throw invalid`${arg('response.response.clientDataJSON')} is not the client data of a passkey: ${remedy}`;
  // A page that frames ours, or is framed by it, has no business with our passkeys.
  if (result.data.crossOrigin)
    throw invalid`${arg('response')} comes from a frame of another origin: open the page directly`;
  return result.data.challenge;
}

function jsonIn(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
