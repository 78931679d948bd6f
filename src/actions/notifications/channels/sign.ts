import { createHmac, randomBytes } from 'node:crypto';

// Signatures of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

const prefix = 'whsec_';
const secretBytes = 32;

/** Creates a signing secret. */
export function newSigningSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`;
}

/** Signed content. */
interface SignedMessage {
  /** The same for every attempt, so that receivers can deduplicate them. */
  readonly id: string;
  readonly body: string;
  /** Of the attempt: receivers reject old ones, which could be replayed. */
  readonly at: Date;
}

/** Returns the headers that prove who sent a message: HMAC-SHA-256 over `id.timestamp.body`. */
export function signatureHeaders(secret: string, { id, body, at }: SignedMessage): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `v1,${signature}` };
}
