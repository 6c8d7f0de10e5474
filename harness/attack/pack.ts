import { AttackPack } from '../../core/attack.ts';
import { contentHash } from '../../core/hash.ts';
import { readAsset } from '../asset.ts';
import { nativeDigest } from '../digest.ts';

/** The attack pack that ships with the package, with the hash that its results carry. */
export function loadAttackPack(): { pack: AttackPack; hash: string } {
  const pack = AttackPack.parse(JSON.parse(readAsset('harness/attack/pack.v1.json')));
  return { pack, hash: contentHash(pack, nativeDigest) };
}
