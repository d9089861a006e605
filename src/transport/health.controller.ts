import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PrismaService } from '../platform/database/prisma.service.js';
import { DomainError } from '../platform/errors.js';

@ApiTags('health')
@Controller()
export class HealthController {
  constructor(private readonly prisma: PrismaService) {}

  @Get('livez')
  @ApiOperation({ summary: 'Does the process run?' })
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @ApiOperation({ summary: 'Can it answer: is the database there?' })
  async ready(): Promise<{ readonly status: 'ok' }> {
    if (await this.prisma.ready()) return { status: 'ok' };
    throw new DomainError('UNAVAILABLE', 'The database does not answer.', { retryAfter: 5 });
  }
}
