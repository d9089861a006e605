import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Public } from '../platform/contract/access.js';
import { PrismaService } from '../platform/database/prisma.service.js';
import { DomainError } from '../platform/errors/errors.js';
import { Health } from '../platform/process/health.js';

@ApiSchema({ description: 'The liveness of the process.' })
class Alive {
  @ApiProperty({ enum: ['ok'], description: 'Always ok.' })
  readonly status: 'ok';
}

@ApiSchema({ description: 'The readiness of the server.' })
class Readiness {
  @ApiProperty({
    enum: ['ok', 'degraded'],
    description:
      'The state of the server; degraded if it answers but something is wrong, such as a full disk.',
  })
  readonly status: 'ok' | 'degraded';

  @ApiProperty({
    type: [String],
    description: 'The faults of a degraded server, as texts for people; empty if it is ok.',
  })
  readonly reasons: readonly string[];
}

@ApiTags('health')
@Controller()
export class HealthController {
  constructor(
    private readonly prisma: PrismaService,
    private readonly health: Health,
  ) {}

  @Public()
  @Get('livez')
  @ApiOperation({ operationId: 'live', summary: 'The liveness of the process.' })
  @ApiOkResponse({ type: Alive })
  live(): Alive {
    return { status: 'ok' };
  }

  @Public()
  @Get('readyz')
  @ApiOperation({
    operationId: 'ready',
    summary:
      'The readiness of the server; 503 if the database does not answer or the server is shutting down.',
  })
  @ApiOkResponse({ type: Readiness })
  async ready(): Promise<Readiness> {
    const { end } = this.health;
    if (end !== null)
      throw new DomainError('UNAVAILABLE', `${end} Try again in 5 seconds.`, { retryAfter: 5 });
    if (!(await this.prisma.ready())) {
      throw new DomainError('UNAVAILABLE', 'The database does not answer. Try again in 5 seconds.', {
        retryAfter: 5,
      });
    }
    const reasons = await this.health.troubles();
    return { status: reasons.length === 0 ? 'ok' : 'degraded', reasons };
  }
}
