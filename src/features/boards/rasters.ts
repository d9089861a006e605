import { Inject, Injectable } from '@nestjs/common';
import { renderAsync } from '@resvg/resvg-js';
import { PALETTES } from '../../boards/palette.js';
import type { Config } from '../../config.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { FairQueue } from '../../platform/limits/fair-queue.js';
import type { Party } from '../../platform/limits/rotation.js';
import { pngOf } from './png.js';

const WITHOUT_FONTS = { loadSystemFonts: false };

/** Who waits for a picture. */
export interface Waiting {
  /** Takes turns with the others. */
  readonly client: Party;
  /** Throws if the client has disconnected. */
  readonly stopIfGone: () => void;
}

/** Pictures as pixels, drawn in other threads; clients take turns. */
@Injectable()
export class Rasters {
  private readonly queue: FairQueue;

  constructor(@Inject(CONFIG) config: Pick<Config, 'maxPicturesAtOnce' | 'maxPicturesWaiting'>) {
    this.queue = new FairQueue(config.maxPicturesAtOnce, config.maxPicturesWaiting);
  }

  /** Throws OVERLOADED. */
  png(svg: string, theme: 'light' | 'dark', { client, stopIfGone }: Waiting): Promise<Buffer> {
    return this.queue.run(client, async () => {
      stopIfGone();
      // Pixels come with their colours multiplied by their opacity, which changes nothing where all are opaque.
      const background = PALETTES[theme].frame;
      return pngOf(await renderAsync(svg, { font: WITHOUT_FONTS, background }));
    });
  }
}
