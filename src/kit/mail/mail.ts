/** A file that a mail carries. */
export interface Attachment {
  /** Letters, digits, hyphens and dots. */
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

/** One mail to one person. */
export interface Mail {
  /** A bare address, such as `ana@example.com`. */
  readonly to: string;
  readonly subject: string;
  /** The whole of it as plain text. */
  readonly text: string;
  /** The whole of it as HTML. */
  readonly html: string;
  readonly attachments?: readonly Attachment[];
}

/** A mail on its way. */
export interface Envelope extends Mail {
  /** The same for each try to send the same mail, so that a receiver can tell a second copy from a second mail. */
  readonly messageId: string;
  readonly date: Date;
}

/** Sends mails. */
export interface Mailer {
  /** @param key names the mail; its `Message-ID` follows from it
   *  @throws {MailRefusedError} when it will never be taken; another error when a later try may go better */
  send(mail: Mail, key: string): Promise<void>;
}

/** The receiver's server will not have it: no later try will go better. */
export class MailRefusedError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'MailRefusedError';
  }
}
