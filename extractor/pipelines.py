class ArticlePipeline:
    async def process_item(self, item):
        return item
