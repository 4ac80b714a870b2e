"""Django REST Framework with the pagination that argv[4] names, and its JSON:API dialect for "jsonapi"."""

import sys

import django
from django.conf import settings

from data import DATA, FOLDER, PORT

PAGINATION = {
    "page": "rest_framework.pagination.PageNumberPagination",
    "limit-offset": "rest_framework.pagination.LimitOffsetPagination",
    "cursor": "drf_cursor.ById",
    "jsonapi": "rest_framework_json_api.pagination.JsonApiPageNumberPagination",
}
IS_JSON_API = sys.argv[4] == "jsonapi"

settings.configure(
    DEBUG=False,
    SECRET_KEY="of a test",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{FOLDER}/db.sqlite3"}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "rest_framework_json_api"],
    REST_FRAMEWORK={
        "DEFAULT_PAGINATION_CLASS": PAGINATION[sys.argv[4]],
        "PAGE_SIZE": 50,
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        **(
            {
                "DEFAULT_RENDERER_CLASSES": ["rest_framework_json_api.renderers.JSONRenderer"],
                "DEFAULT_PARSER_CLASSES": ["rest_framework_json_api.parsers.JSONParser"],
                "DEFAULT_METADATA_CLASS": "rest_framework_json_api.metadata.JSONAPIMetadata",
            }
            if IS_JSON_API
            else {}
        ),
    },
)
django.setup()

from django.db import connection, models  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import routers, serializers, viewsets  # noqa: E402


class AppGroup(models.Model):
    name = models.CharField(max_length=200)
    description = models.CharField(max_length=200, null=True)

    class Meta:
        app_label = "signage"
        ordering = ["id"]


class License(models.Model):
    type = models.CharField(max_length=200, unique=True)
    total_count = models.IntegerField()
    available_count = models.IntegerField()

    class Meta:
        app_label = "signage"
        ordering = ["id"]


class Player(models.Model):
    name = models.CharField(max_length=200)
    box_id = models.CharField(max_length=200)
    license_type = models.CharField(max_length=200)
    last_access = models.DateTimeField()
    post_code = models.CharField(max_length=20)
    is_installed = models.BooleanField()
    latitude = models.FloatField(null=True)
    created = models.DateTimeField()

    class Meta:
        app_label = "signage"
        ordering = ["id"]


class Screen(models.Model):
    player = models.ForeignKey(Player, models.CASCADE, related_name="screens")
    number = models.IntegerField()
    is_on = models.BooleanField()
    display_name = models.CharField(max_length=200)
    last_status_change = models.DateTimeField()

    class Meta:
        app_label = "signage"
        ordering = ["id"]


class PendingFileTransfer(models.Model):
    player = models.ForeignKey(Player, models.CASCADE, related_name="transfers")
    file_name = models.CharField(max_length=200)
    size_bytes = models.BigIntegerField()
    queued_at = models.DateTimeField()

    class Meta:
        app_label = "signage"
        ordering = ["id"]


TABLES = {
    "app_groups": AppGroup,
    "licenses": License,
    "players": Player,
    "screens": Screen,
    "pending_file_transfers": PendingFileTransfer,
}


def view_set(of):
    class Serializer(serializers.ModelSerializer):
        class Meta:
            model = of
            fields = "__all__"

    class JsonApiSerializer(Serializer):
        class Meta(Serializer.Meta):
            # A JSON:API record has its player as a relationship.
            fields = [each.name for each in of._meta.fields]

    class Listing(viewsets.ReadOnlyModelViewSet):
        queryset = of.objects.all()
        serializer_class = JsonApiSerializer if IS_JSON_API else Serializer
        resource_name = of._meta.model_name

        def get_queryset(self):
            return super().get_queryset().filter(**{key: value for key, value in self.kwargs.items() if key == "player"})

    return Listing


router = routers.DefaultRouter()
for table in ["app_groups", "licenses", "players"]:
    router.register(table.replace("_", "-"), view_set(TABLES[table]), basename=table)

urlpatterns = [
    path("api/", include(router.urls)),
    path("api/players/<int:player>/screens/", view_set(Screen).as_view({"get": "list"})),
    path("api/players/<int:player>/transfers/", view_set(PendingFileTransfer).as_view({"get": "list"})),
]

with connection.schema_editor() as editor:
    for model in TABLES.values():
        editor.create_model(model)
for table, model in TABLES.items():
    model.objects.bulk_create([model(**record) for record in DATA[table]])

if __name__ == "__main__":
    from django.core.asgi import get_asgi_application
    from uvicorn import run

    run(get_asgi_application(), port=PORT, log_level="warning")
