import { useState } from 'react';
import type { Refusal } from '../../api/refusal.ts';
import { refused, sendFile } from '../../api/rest.ts';
import { freshToken } from '../../parts/list/csv.tsx';

/** A file that is being uploaded. */
interface Sending {
  readonly name: string;
  /** 0 to 100. */
  readonly percent: number;
}

/** Error of one file. */
interface FileFault {
  readonly name: string;
  readonly refusal: Refusal;
}

/** Uploads files one after another. */
export function useUploads(accountId: string, onUploaded: () => void) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [faults, setFaults] = useState<readonly FileFault[]>([]);
  const upload = async (files: readonly File[]) => {
    if (sending) return;
    setFaults([]);
    for (const file of files) {
      const { name } = file;
      const path = `/accounts/${accountId}/files?name=${encodeURIComponent(name)}`;
      setSending({ name, percent: 0 });
      const onProgress = (fraction: number) => setSending({ name, percent: Math.round(fraction * 100) });
      const call = freshToken().then((token) => sendFile(path, file, { token, onProgress }));
      const sent = await refused(call);
      if ('refusal' in sent) setFaults((before) => [...before, { name, refusal: sent.refusal }]);
    }
    setSending(null);
    onUploaded();
  };
  return { sending, faults, upload };
}
