import { useEffect, useState } from 'react';
import { Muted } from '../parts/form/menu.tsx';

/** Version of the server; empty until it is known. */
export function Version() {
  const [version, setVersion] = useState<string | null>(null);
  useEffect(() => {
    const request = new AbortController();
    readVersion(request.signal).then(setVersion, () => setVersion(null));
    return () => request.abort();
  }, []);
  if (version === null) return null;
  return (
    <Muted size="xs" px="sm" py={4}>
      Costkeep {version}
    </Muted>
  );
}

async function readVersion(signal: AbortSignal): Promise<string | null> {
  const health: unknown = await (await fetch('/health', { signal })).json();
  const isKnown = typeof health === 'object' && health !== null && 'version' in health;
  return isKnown && typeof health.version === 'string' ? health.version : null;
}
