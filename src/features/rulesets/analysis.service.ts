import { Injectable } from '@nestjs/common';
import { EngineService } from '../../engine/engine.service.js';
import type { Analysis } from './analysis.model.js';

/** A line as it comes in; what is left out has its default. */
export interface LineRequest {
  readonly ruleset: string;
  readonly options?: unknown;
  readonly setup?: string | null | undefined;
  readonly position?: string | null | undefined;
  readonly faceDown?: string | null | undefined;
  readonly moves?:
    readonly { readonly move: string; readonly reveals?: string | null | undefined }[] | null | undefined;
}

/** Judges positions and lines that belong to no game. It sees no stored game and no deal: only what it is given. */
@Injectable()
export class AnalysisService {
  constructor(private readonly engine: EngineService) {}

  /** Throws what the rules refuse; the field names the move by its index. */
  analyse({ ruleset, options, setup, position, faceDown, moves }: LineRequest): Analysis {
    return this.engine.analyse({
      ruleset,
      options: options ?? {},
      setup: setup ?? null,
      position: position ?? null,
      faceDown: faceDown ?? null,
      moves: (moves ?? []).map(({ move, reveals }) => ({ move, reveals: reveals ?? null })),
    });
  }
}
