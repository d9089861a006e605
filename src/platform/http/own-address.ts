import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import type { Config } from '../../config.js';
import { CONFIG } from '../process/config.module.js';

/**
 * The address of this server in what it says: PUBLIC_URL, else localhost and its port. Never that of a request, since
 * answers are kept and shared.
 */
@Injectable()
export class OwnAddress {
  private known: string | null;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'port'>,
    private readonly host: HttpAdapterHost,
  ) {
    this.known = config.publicUrl;
  }

  /** The URL of a path that begins with a slash; of the server itself without one. */
  url(path = ''): string {
    return `${(this.known ??= this.local())}${path}`;
  }

  /** Only the open server knows its port, if any free one may be taken; a program of the operator has none. */
  private local(): string {
    const address = (this.host.httpAdapter.getHttpServer() as Server).address();
    const port = address === null || typeof address === 'string' ? this.config.port : address.port;
    return `http://localhost:${port}`;
  }
}
