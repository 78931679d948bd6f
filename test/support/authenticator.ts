import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

// A software authenticator according to WebAuthn Level 3: ES256 keys, attestation `none`. Tests can make it behave like
// no real one would.

/** Deviations from correct behaviour. */
export interface Behaviour {
  /** The origin of the page; defaults to that of the relying party. */
  readonly origin?: string;
  /** The assumed relying party; defaults to the requesting one. */
  readonly rpId?: string;
  /** The signature counter; defaults to the previous one plus 1. */
  readonly counter?: number;
  /** Whether the user is verified; default: true. */
  readonly isVerified?: boolean;
  /** Whether the user is present; default: true. */
  readonly isPresent?: boolean;
  /** The user handle; defaults to the user the credential was created for. Null omits it. */
  readonly userHandle?: string | null;
  /** Signs with another key. */
  readonly isForged?: boolean;
  /** `webauthn.get` or `webauthn.create`; defaults to the right one. */
  readonly type?: string;
  /** Whether the page is in a frame of another origin. */
  readonly isCrossOrigin?: boolean;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 };

/** One credential in software. */
export class SoftwareAuthenticator {
  readonly credentialId: Buffer;
  readonly #origin: string;
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  #counter = 0;
  #userHandle = '';

  /** Creates one for a page with this origin. */
  constructor(origin: string, idBytes = 32) {
    this.#origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.credentialId = randomBytes(idBytes);
  }

  /** The response of `navigator.credentials.create`, as JSON. */
  create(options: CreationOptions, behaviour: Behaviour = {}): Record<string, unknown> {
    this.#userHandle = options.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, coseKey(this.#keys.publicKey)]);
    const authData = Buffer.concat([this.#authData(options.rp.id, behaviour, flags.attested), attested]);
    const attestationObject = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ]);
    const clientDataJSON = this.#clientData('webauthn.create', options.challenge, behaviour);
    return this.#credential({
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
      transports: ['internal', 'hybrid'],
    });
  }

  /** The response of `navigator.credentials.get`, as JSON. */
  get(options: RequestOptions, behaviour: Behaviour = {}): Record<string, unknown> {
    const authenticatorData = this.#authData(options.rpId, behaviour, 0);
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, behaviour);
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    const key = behaviour.isForged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#keys.privateKey;
    const userHandle = behaviour.userHandle === undefined ? this.#userHandle : behaviour.userHandle;
    return this.#credential({
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, key)),
      ...(userHandle === null ? {} : { userHandle }),
    });
  }

  #credential(response: object): Record<string, unknown> {
    const id = base64url(this.credentialId);
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    };
  }

  #clientData(type: string, challenge: string, behaviour: Behaviour): Buffer {
    const origin = behaviour.origin ?? this.#origin;
    const crossOrigin = behaviour.isCrossOrigin ?? false;
    return Buffer.from(JSON.stringify({ type: behaviour.type ?? type, challenge, origin, crossOrigin }));
  }

  #authData(rpId: string, behaviour: Behaviour, more: number): Buffer {
    const { isVerified = true, isPresent = true } = behaviour;
    this.#counter = behaviour.counter ?? this.#counter + 1;
    const rest = Buffer.alloc(5);
    rest.writeUInt8((isPresent ? flags.present : 0) | (isVerified ? flags.verified : 0) | more);
    rest.writeUInt32BE(this.#counter, 1);
    return Buffer.concat([sha256(Buffer.from(behaviour.rpId ?? rpId)), rest]);
  }
}

/** RFC 9052: an EC2 key on P-256 for ES256. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return map([
    [integer(1), integer(2)],
    [integer(3), integer(-7)],
    [integer(-1), integer(1)],
    [integer(-2), bytes(Buffer.from(x, 'base64url'))],
    [integer(-3), bytes(Buffer.from(y, 'base64url'))],
  ]);
}

// The required subset of CBOR (RFC 8949).

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
}

function map(entries: readonly [Buffer, Buffer][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()]);
}

function base64url(value: Buffer): string {
  return value.toString('base64url');
}

function sha256(value: Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}
