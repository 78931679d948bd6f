import type { Script } from '../../script.ts';
import { sh } from '../../script.ts';
import { shortId, type Subject } from '../../subject.ts';
import { armParts } from './arm.ts';

/** Takes an incremental snapshot of a disk, which is kept on standard storage, then does the rest and deletes the disk. Empty
 *  where the id is no ARM path. */
export function deleteDiskScripts(subject: Subject, title: string, between: readonly string[] = []): Script[] {
  const parts = armParts(subject.nativeId);
  if (parts === null) return [];
  const name = `costkeep-${shortId(subject.nativeId)}`.slice(0, 80);
  const snapshot = [
    sh`az snapshot create --subscription=${parts.subscription} --resource-group=${parts.group}`,
    sh`--name=${name} --location=${subject.region} --source=${subject.nativeId} --incremental=true`,
  ].join(' ');
  return [
    {
      kind: 'azure_cli',
      title,
      script: [snapshot, ...between, sh`az disk delete --ids=${subject.nativeId} --yes`].join(' &&\n'),
      reversible: true,
    },
  ];
}
