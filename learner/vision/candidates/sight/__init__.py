"""The same choice by sight: from the picture of a page and the boxes of its candidates alone."""
