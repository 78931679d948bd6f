import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { Config } from '../../kit/config/config.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import type { Secrets } from '../../kit/secrets/crypto.ts';
import type { CredentialName } from './store.ts';

/** Who asks for passkeys, as browsers and authenticators know it. */
interface RelyingParty {
  /** Shown to people. */
  readonly name: string;
  /** The host name that passkeys are bound to: after another `PUBLIC_URL` they are no longer good. */
  readonly id: string;
  /** Where the page that asks must come from. */
  readonly origin: string;
}

/** The relying party that `PUBLIC_URL` makes of this server. */
export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { name: 'Costkeep', id: hostname, origin };
}

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

/** What authenticators in wide use give: the length of their credential ids in bytes, and how they are reached. */
const kinds: readonly { readonly bytes: number; readonly transports: readonly string[] }[] = [
  { bytes: 20, transports: ['hybrid', 'internal'] }, // iCloud Keychain
  { bytes: 32, transports: ['internal'] }, // Chrome on macOS, Windows Hello
  { bytes: 16, transports: ['hybrid', 'internal'] }, // Google Password Manager
  { bytes: 64, transports: ['nfc', 'usb'] }, // security keys
  { bytes: 32, transports: [] },
];

/** One address in this many has two passkeys. */
const oneInTwo = 5;

/** Passkeys that nobody has, for an address without any, known or not: always the same for the same address, and of the
 *  lengths that real ones have, so that asking tells nothing about who is registered. */
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
