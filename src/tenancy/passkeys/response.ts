import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Config } from '../../kit/config/config.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import type { Secrets } from '../../kit/secrets/crypto.ts';
import type { CredentialName } from './store.ts';

/** The WebAuthn relying party. */
interface RelyingParty {
  /** Display name. */
  readonly name: string;
  /** The host name that passkeys are bound to: changing `PUBLIC_URL` invalidates them. */
  readonly id: string;
  /** Required origin of the calling page. */
  readonly origin: string;
}

/** The relying party derived from `PUBLIC_URL`. */
export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { name: 'Costkeep', id: hostname, origin };
}

/** Maximum length of a field, far above what authenticators send, including certificates. */
const maxCharacters = 65_536;

// Messages continue the name of the field. They never repeat values, because a response signs its user in.
const anObject = 'must be a JSON object';
const anId = 'must be a base64url string of at most 1,023 bytes';
const aBase64url = `must be a base64url string of 1 to ${maxCharacters} characters`;
const aTransport = 'must be a string of at most 32 characters';

const base64url = z
  .string(aBase64url)
  .max(maxCharacters, aBase64url)
  .regex(/^[\w-]+={0,2}$/, aBase64url);

/** Web Authentication Level 3, 4: a credential id has at most 1,023 bytes. */
const credentialId = base64url.refine((id) => Buffer.byteLength(id, 'base64url') <= 1_023, anId);

const credential = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', 'must be "public-key"'),
  // Unused, but required by the verification.
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

/** A response of an authenticator, with the challenge that it claims to answer. */
export interface Answered<Response> {
  readonly response: Response;
  /** In base64url. */
  readonly challenge: string;
}

/** Parses the result of `navigator.credentials.create` as serialized by `toJSON`.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid part of `response` */
export function parseRegistration(value: unknown): Answered<RegistrationResponseJSON> {
  const { authenticatorAttachment: _attachment, ...response } = parse(registration, value);
  return { response, challenge: challengeIn(response.response.clientDataJSON) };
}

/** Parses the result of `navigator.credentials.get` as serialized by `toJSON`.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid part of `response` */
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
  // Rejects cross-origin frames, which must not use our passkeys.
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

/** Credential id lengths in bytes and transports of common authenticators. */
const kinds: readonly { readonly bytes: number; readonly transports: readonly string[] }[] = [
  { bytes: 20, transports: ['hybrid', 'internal'] }, // iCloud Keychain
  { bytes: 32, transports: ['internal'] }, // Chrome on macOS, Windows Hello
  { bytes: 16, transports: ['hybrid', 'internal'] }, // Google Password Manager
  { bytes: 64, transports: ['nfc', 'usb'] }, // security keys
  { bytes: 32, transports: [] },
];

/** One in this many addresses has two decoy passkeys. */
const oneInTwo = 5;

/** Decoy passkeys for an address without any, known or not: deterministic per address, and of realistic lengths, so
 *  that the response does not reveal who is registered. */
export function falseCredentials(secrets: Pick<Secrets, 'hmac'>, email: string): CredentialName[] {
  const count = byteOf(secrets, `${email} count`) % oneInTwo === 0 ? 2 : 1;
  return Array.from({ length: count }, (_, index) => falseCredential(secrets, `${email} ${index}`));
}

function falseCredential(secrets: Pick<Secrets, 'hmac'>, seed: string): CredentialName {
  const kind = kinds[byteOf(secrets, `${seed} kind`) % kinds.length];
  const { bytes, transports } = kind ?? { bytes: 32, transports: [] };
  const id = Buffer.concat([macOf(secrets, `${seed} a`), macOf(secrets, `${seed} b`)]);
  return { credentialId: id.subarray(0, bytes), transports };
}

function byteOf(secrets: Pick<Secrets, 'hmac'>, data: string): number {
  return macOf(secrets, data)[0] ?? 0;
}

function macOf(secrets: Pick<Secrets, 'hmac'>, data: string): Uint8Array<ArrayBuffer> {
  return secrets.hmac('false passkeys', data);
}
