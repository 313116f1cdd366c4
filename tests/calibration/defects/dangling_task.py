# expects ruff:RUF006
async def probe_start(worker):
    import asyncio

    asyncio.create_task(worker())
