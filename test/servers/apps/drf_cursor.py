from rest_framework.pagination import CursorPagination


class ById(CursorPagination):
    """The framework sorts by `created`, which is not unique here."""

    ordering = "id"
