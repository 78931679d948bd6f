import { z } from 'zod';
import { jsonOf } from '../api/json.ts';

const message = z.object({ method: z.string().max(100) });

/** Protocols of early 2025 may send several messages at once. */
export const mostMessages = 8;

/** What a body asks for; whether it may is the SDK's to say. */
export function messagesOf(text: string): { readonly method: string | null; readonly isTooMany: boolean } {
  const body = jsonOf(text);
  if (Array.isArray(body)) return { method: 'batch', isTooMany: body.length > mostMessages };
  const read = message.safeParse(body);
  return { method: read.success ? read.data.method : null, isTooMany: false };
}
