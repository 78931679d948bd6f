import type { SendMailOptions } from 'nodemailer';
import type { Envelope } from './mail.ts';

/** A mail as nodemailer takes it. Nothing in it can name a file or an address to read from. */
export function message(envelope: Envelope, from: string): SendMailOptions {
  const { to: address, subject, text, html, attachments = [], messageId, date } = envelope;
  return {
    from,
    // As an object it is one address, whatever it looks like.
    to: { name: '', address },
    // What looks encoded (RFC 2047) goes out as it is, and would be decoded: names would say what they were not let.
    subject: subject.replaceAll('=?', '=\u200b?'),
    text,
    html,
    attachments: attachments.map(({ name, mediaType, bytes }) => ({
      filename: name,
      contentType: mediaType,
      content: bytes,
    })),
    messageId,
    date,
    // RFC 3834: nobody's holiday answers it.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
